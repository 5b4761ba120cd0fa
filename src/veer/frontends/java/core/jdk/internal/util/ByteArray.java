package jdk.internal.util;

/** Numbers in arrays of bytes, the highest byte first, as JDK 25's streams of data write them. */
public final class ByteArray {
    private ByteArray() {}

    public static boolean getBoolean(byte[] array, int at) {
        return array[at] != 0;
    }

    public static char getChar(byte[] array, int at) {
        return (char) bits(array, at, 2);
    }

    public static short getShort(byte[] array, int at) {
        return (short) bits(array, at, 2);
    }

    public static int getUnsignedShort(byte[] array, int at) {
        return (int) bits(array, at, 2);
    }

    public static int getInt(byte[] array, int at) {
        return (int) bits(array, at, 4);
    }

    public static float getFloat(byte[] array, int at) {
        return Float.intBitsToFloat(getInt(array, at));
    }

    public static long getLong(byte[] array, int at) {
        return bits(array, at, 8);
    }

    public static double getDouble(byte[] array, int at) {
        return Double.longBitsToDouble(getLong(array, at));
    }

    public static void setBoolean(byte[] array, int at, boolean value) {
        array[at] = (byte) (value ? 1 : 0);
    }

    public static void setChar(byte[] array, int at, char value) {
        set(array, at, 2, value);
    }

    public static void setShort(byte[] array, int at, short value) {
        set(array, at, 2, value);
    }

    public static void setUnsignedShort(byte[] array, int at, int value) {
        set(array, at, 2, value);
    }

    public static void setInt(byte[] array, int at, int value) {
        set(array, at, 4, value);
    }

    public static void setFloat(byte[] array, int at, float value) {
        set(array, at, 4, Float.floatToIntBits(value));
    }

    public static void setLong(byte[] array, int at, long value) {
        set(array, at, 8, value);
    }

    public static void setDouble(byte[] array, int at, double value) {
        set(array, at, 8, Double.doubleToLongBits(value));
    }

    private static long bits(byte[] array, int at, int size) {
        check(array, at, size);
        long bits = 0;
        for (int each = 0; each < size; each++) bits = bits << 8 | array[at + each] & 255;
        return bits;
    }

    private static void set(byte[] array, int at, int size, long bits) {
        check(array, at, size);
        for (int each = size; each-- > 0; bits >>= 8) array[at + each] = (byte) bits;
    }

    private static void check(byte[] array, int at, int size) {
        if (at < 0 || at > array.length - size) throw new IndexOutOfBoundsException(0);
    }
}
