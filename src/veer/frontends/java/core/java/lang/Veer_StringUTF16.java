package java.lang;

/** Since Java 21 the hash code is asked of jdk.internal.util, which asks what starts with the JVM. */
final class Veer_StringUTF16 {
    static int hashCode(byte[] value) {
        int hash = 0;
        int length = value.length >> 1;
        for (int at = 0; at < length; at++) hash = 31 * hash + StringUTF16.getChar(value, at);
        return hash;
    }
}
