package java.lang;

import veer.Engine;

/** The forms of String.format that programs mostly use: %d %s %c %b %x %n %%, with a width, '-' and '0'. Others are refused. What
 * nobody reads may hold floats, too. */
final class VeerFormat {
    private static final String OTHER = "a form of String.format that veer does not write";

    static String format(String form, Object[] values) {
        return format(form, values, false);
    }

    static String format(String form, Object[] values, boolean isUnread) {
        StringBuilder made = new StringBuilder();
        int next = 0;
        int end = form.length();
        for (int at = 0; at < end; at++) {
            char unit = form.charAt(at);
            if (unit != '%') {
                made.append(unit);
                continue;
            }
            boolean isLeft = false, isPadded = false;
            int width = 0;
            at++;
            while (at < end && (form.charAt(at) == '-' || form.charAt(at) == '0')) {
                if (form.charAt(at) == '-') isLeft = true;
                else isPadded = true;
                at++;
            }
            while (at < end && form.charAt(at) >= '0' && form.charAt(at) <= '9') width = width * 10 + (form.charAt(at++) - '0');
            if (isUnread && at < end && form.charAt(at) == '.') {
                at++;
                while (at < end && form.charAt(at) >= '0' && form.charAt(at) <= '9') at++;
            }
            if (at >= end) Engine.refuse(OTHER);
            char kind = form.charAt(at);
            if (isUnread && kind == 'f' && values != null && next < values.length) {
                Object value = values[next++];
                if (value != null && !(value instanceof Double) && !(value instanceof Float)) Engine.refuse(OTHER);
                continue;
            }
            if ((isLeft && isPadded) || ((isLeft || isPadded) && width == 0) || (isPadded && kind != 'd' && kind != 'x')) {
                Engine.refuse(OTHER);
            }
            if (kind == 'n' || kind == '%') {
                if (width > 0) Engine.refuse(OTHER);
                made.append(kind == 'n' ? '\n' : '%');
                continue;
            }
            if (values == null || next >= values.length) Engine.refuse("String.format with too few values");
            pad(made, text(kind, values[next++]), width, isLeft, isPadded);
        }
        return made.toString();
    }

    private static String text(char kind, Object value) {
        switch (kind) {
            case 's':
                if (value instanceof java.util.Formattable) Engine.refuse(OTHER);
                return value == null ? "null" : value.toString();
            case 'b':
                return value == null ? "false" : value instanceof Boolean ? value.toString() : "true";
            case 'd':
                if (value == null) return "null";
                if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
                    return value.toString();
                }
                break;
            case 'c':
                if (value == null) return "null";
                if (value instanceof Character) return value.toString();
                break;
            case 'x':
                if (value == null) return "null";
                if (value instanceof Integer) return Integer.toHexString((Integer) value);
                if (value instanceof Long) return Long.toHexString((Long) value);
                break;
            default:
                break;
        }
        Engine.refuse(OTHER);
        return null;
    }

    private static void pad(StringBuilder made, String text, int width, boolean isLeft, boolean isPadded) {
        int missing = width - text.length();
        if (isLeft) made.append(text);
        if (isPadded && missing > 0 && text.length() > 0 && text.charAt(0) == '-') {
            made.append('-');
            text = text.substring(1);
        }
        for (int count = 0; count < missing; count++) made.append(isPadded ? '0' : ' ');
        if (!isLeft) made.append(text);
    }
}
