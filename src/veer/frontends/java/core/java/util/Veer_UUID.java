package java.util;

/** In the place of methods of UUID. */
final class Veer_UUID {
    static String toString(UUID id) {
        char[] text = new char[36];
        long bits = id.getMostSignificantBits();
        for (int at = 0, digit = 0; at < 36; at++) {
            if (at == 8 || at == 13 || at == 18 || at == 23) {
                text[at] = '-';
                continue;
            }
            if (digit == 16) bits = id.getLeastSignificantBits();
            int value = (int) (bits >>> 60);
            text[at] = (char) (value + (value < 10 ? '0' : 'a' - 10));
            bits <<= 4;
            digit++;
        }
        return new String(text);
    }
}
