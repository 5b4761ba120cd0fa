package java.lang;

import veer.Engine;

/** In the place of methods of Integer: how many digits a number has is decided first. */
final class Veer_Integer {
    static Integer valueOf(int value) {
        return Engine.boxed(new Integer(value));
    }

    static String toString(int value) {
        return new String(digits(value), (byte) 0);
    }

    static byte[] digits(int value) {
        if (value == Integer.MIN_VALUE) return Veer_Long.digits(value);
        int rest = value < 0 ? -value : value;
        int sign = value < 0 ? 1 : 0;
        int count = 1;
        if (rest >= 10) count = 2;
        if (count == 2 && rest >= 100) count = 3;
        if (count == 3 && rest >= 1000) count = 4;
        if (count == 4 && rest >= 10000) count = 5;
        if (count == 5 && rest >= 100000) count = 6;
        if (count == 6 && rest >= 1000000) count = 7;
        if (count == 7 && rest >= 10000000) count = 8;
        if (count == 8 && rest >= 100000000) count = 9;
        if (count == 9 && rest >= 1000000000) count = 10;
        byte[] made = new byte[sign + count];
        if (sign > 0) made[0] = '-';
        for (int at = sign + count - 1; at >= sign; at--) {
            int next = rest / 10;
            made[at] = (byte) ('0' + (rest - next * 10));
            rest = next;
        }
        return made;
    }

    static int parseInt(String text) {
        return parseInt(text, 10);
    }

    static int parseInt(String text, int radix) {
        if (text == null) {
            NumberFormatException none = new NumberFormatException();
            Throwable.hide(none);
            throw none;
        }
        long value = Veer_Long.parsed(text, radix, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return (int) value;
    }

    static Integer valueOf(String text) {
        return valueOf(parseInt(text, 10));
    }
}
