package veer;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** The inputs that a program asks for, in their order: what a test says they are. */
public final class Given {
    private static final Map<String, ArrayDeque<Long>> VALUES = new HashMap<>();

    private Given() {}

    /** Forgets all. */
    public static void clear() {
        VALUES.clear();
    }

    /** What is asked for by this name, as bits. */
    public static void add(String name, long... bits) {
        for (long each : bits) VALUES.computeIfAbsent(name, key -> new ArrayDeque<>()).add(each);
    }

    /** The next one; 0 where the test has no more, which a run that goes its way does not ask for. */
    public static long next(String name) {
        ArrayDeque<Long> left = VALUES.get(name);
        return left == null || left.isEmpty() ? 0 : left.remove();
    }

    /** The next string. */
    public static String string() {
        char[] units = new char[(int) next("aLength")];
        for (int at = 0; at < units.length; at++) units[at] = (char) (next("aCharacter") & 0xFF);
        return new String(units);
    }

    /** The next object: null, or a number in a box. */
    public static Object object() {
        return next("aBoolean") == 0 ? null : Integer.valueOf((int) next("anInt"));
    }

    /** What standard input holds; spaces where nobody looked. */
    public static java.io.InputStream standardInput() {
        byte[] bytes = new byte[(int) next("aSizeOfInput")];
        for (int at = 0; at < bytes.length; at++) bytes[at] = VALUES.containsKey("aByteOfInput") && !VALUES.get("aByteOfInput").isEmpty() ? (byte) next("aByteOfInput") : (byte) ' ';
        return new java.io.ByteArrayInputStream(bytes);
    }
}
