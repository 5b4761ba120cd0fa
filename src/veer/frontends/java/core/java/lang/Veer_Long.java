package java.lang;

import veer.Engine;

/** In the place of methods of Long. */
final class Veer_Long {
    static Long valueOf(long value) {
        return Engine.boxed(new Long(value));
    }

    static String toString(long value) {
        return new String(digits(value), (byte) 0);
    }

    static byte[] digits(long value) {
        int sign = value < 0 ? 1 : 0;
        long rest = value < 0 ? value : -value; // negative, for the least number has no opposite
        int count = 1;
        long limit = -10;
        while (count < 19 && rest <= limit) {
            count++;
            limit *= 10;
        }
        byte[] made = new byte[sign + count];
        if (sign > 0) made[0] = '-';
        for (int at = sign + count - 1; at >= sign; at--) {
            long next = rest / 10;
            made[at] = (byte) ('0' - (rest - next * 10));
            rest = next;
        }
        return made;
    }

    static long parseLong(String text) {
        return parseLong(text, 10);
    }

    static long parseLong(String text, int radix) {
        if (text == null) {
            NumberFormatException none = new NumberFormatException();
            Throwable.hide(none);
            throw none;
        }
        return parsed(text, radix, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    static Long valueOf(String text) {
        return valueOf(parseLong(text, 10));
    }

    /** A number between these bounds. Digits beyond ASCII are none here: a text that has characters from 128 on is refused. */
    static long parsed(String text, int radix, long least, long most) {
        if (radix < Character.MIN_RADIX || radix > Character.MAX_RADIX) {
            NumberFormatException wrong = new NumberFormatException();
            Throwable.hide(wrong);
            throw wrong;
        }
        int count = text.length();
        if (count == 0) throw fault(text, radix);
        char first = text.charAt(0);
        boolean isNegative = first == '-';
        int at = isNegative || first == '+' ? 1 : 0;
        if (at == count) throw fault(text, radix);
        long limit = isNegative ? least : -most;
        long before = limit / radix;
        long value = 0;
        while (at < count) {
            int digit = digit(text.charAt(at++), radix);
            if (digit < 0 || value < before) throw fault(text, radix);
            value *= radix;
            if (value < limit + digit) throw fault(text, radix);
            value -= digit;
        }
        return isNegative ? value : -value;
    }

    private static int digit(char unit, int radix) {
        if (unit >= 256) Engine.refuse("a number is read from a text with characters from 256 on");
        int digit = -1;
        if (unit >= '0' && unit <= '9') digit = unit - '0';
        else if (radix > 10 && unit >= 'a' && unit <= 'z') digit = unit - 'a' + 10;
        else if (radix > 10 && unit >= 'A' && unit <= 'Z') digit = unit - 'A' + 10;
        return digit < radix ? digit : -1;
    }

    private static NumberFormatException fault(String text, int radix) {
        NumberFormatException made = new NumberFormatException("For input string: \"" + text + "\"");
        if (radix != 10) Throwable.hide(made);
        return made;
    }
}
