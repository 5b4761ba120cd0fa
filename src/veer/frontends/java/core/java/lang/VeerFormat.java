package java.lang;

import java.math.BigInteger;
import java.util.Locale;
import veer.Engine;

/** The forms of String.format that programs mostly use: %d %s %c %b %x %o %n %%, with flags and a width. Others are refused;
 * those with real numbers are in VeerRealFormat. */
class VeerFormat {
    private static final String OTHER = "a form of String.format that veer does not write";

    /** Languages beside English that write whole numbers in the digits 0 to 9. */
    private static final String LANGUAGES = " de fr it es pt nl ja zh ko sv da fi pl cs ";

    private final boolean isEnglish, hasUsualDigits;

    /** `locale`: null means none. */
    VeerFormat(Locale locale) {
        String language = locale == null ? "" : locale.getLanguage();
        isEnglish = language.isEmpty() || language.equals("en");
        hasUsualDigits = isEnglish || LANGUAGES.contains(" " + language + " ");
    }

    String filled(String form, Object[] values) {
        StringBuilder made = new StringBuilder();
        int next = 0;
        for (int at = 0; at < form.length(); ) {
            if (form.charAt(at) != '%') {
                made.append(form.charAt(at++));
                continue;
            }
            VeerDirective as = directive(form, at);
            at = as.end;
            if (as.kind == 'n') made.append('\n');
            else if (as.kind == '%') made.append('%');
            else write(made, as, value(values, next++));
        }
        return made.toString();
    }

    /** Looks at what would be written somewhere where nobody reads it: numbers have no text, objects make theirs. */
    static void unread(String form, Object[] values) {
        int next = 0;
        for (int at = 0; at < form.length(); ) {
            if (form.charAt(at++) != '%') continue;
            VeerDirective as = directive(form, at - 1);
            at = as.end;
            if (as.kind == 'n' || as.kind == '%') continue;
            Object value = value(values, next++);
            if (value != null && !fits(as.lowerKind(), value)) Engine.refuse(OTHER);
            if (as.lowerKind() == 's') VeerTexts.write(value);
        }
    }

    private static VeerDirective directive(String form, int at) {
        VeerDirective found = new VeerDirective(form, at + 1);
        if (!found.isKnown()) Engine.refuse(OTHER);
        return found;
    }

    private static Object value(Object[] values, int at) {
        if (values == null || at >= values.length) Engine.refuse("String.format with too few values");
        return values[at];
    }

    /** Whether such a value can be written. */
    private static boolean fits(char kind, Object value) {
        switch (kind) {
            case 's':
                return !(value instanceof java.util.Formattable);
            case 'b':
                return true;
            case 'c':
                return value instanceof Character;
            case 'd':
                return isWhole(value) || value instanceof BigInteger;
            case 'x':
            case 'o':
                return isWhole(value);
            default:
                return value instanceof Double || value instanceof Float;
        }
    }

    private static boolean isWhole(Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    private void write(StringBuilder to, VeerDirective as, Object value) {
        char kind = as.lowerKind();
        if (value != null && !fits(kind, value)) Engine.refuse(OTHER);
        String text = value == null ? kind == 'b' ? "false" : "null" : text(kind, as, value);
        boolean isCut = value == null || kind == 's' || kind == 'b';
        if (isCut && as.precision >= 0 && as.precision < text.length()) text = text.substring(0, as.precision);
        if (as.isUpper()) text = text.toUpperCase();
        if (as.isLeft) to.append(text);
        for (int missing = as.width - text.length(); missing > 0; missing--) to.append(' ');
        if (!as.isLeft) to.append(text);
    }

    private String text(char kind, VeerDirective as, Object value) {
        switch (kind) {
            case 'b':
                return value instanceof Boolean ? value.toString() : "true";
            case 'd':
                if (!hasUsualDigits || as.isGrouped && !isEnglish) Engine.refuse(OTHER);
                String text = value.toString();
                boolean isNegative = text.charAt(0) == '-';
                return signed(as, isNegative, isNegative ? text.substring(1) : text);
            case 'x':
            case 'o':
                return signed(as, false, bits(kind == 'x', value));
            case 'e':
            case 'f':
            case 'g':
                if (!isEnglish) Engine.refuse(OTHER);
                return real(kind, as, ((Number) value).doubleValue());
            default:
                return value.toString();
        }
    }

    private static String bits(boolean isHexadecimal, Object value) {
        if (value instanceof Integer) {
            int number = (Integer) value;
            return isHexadecimal ? Integer.toHexString(number) : Integer.toOctalString(number);
        }
        long number = ((Number) value).longValue();
        if (value instanceof Short) number &= 0xFFFF;
        if (value instanceof Byte) number &= 0xFF;
        return isHexadecimal ? Long.toHexString(number) : Long.toOctalString(number);
    }

    String real(char kind, VeerDirective as, double value) {
        Engine.refuse(OTHER);
        return null;
    }

    /** Digits with their sign, commas between thousands and zeros before them, as the directive says. */
    static String signed(VeerDirective as, boolean isNegative, String digits) {
        String text = as.isGrouped ? grouped(digits) : digits;
        StringBuilder made = new StringBuilder(sign(as, isNegative));
        int width = isNegative && as.isInParentheses ? as.width - 1 : as.width;
        if (as.isPadded) {
            for (int missing = width - made.length() - text.length(); missing > 0; missing--) made.append('0');
        }
        made.append(text);
        if (isNegative && as.isInParentheses) made.append(')');
        return made.toString();
    }

    static String sign(VeerDirective as, boolean isNegative) {
        if (isNegative) return as.isInParentheses ? "(" : "-";
        return as.hasPlus ? "+" : as.hasSpace ? " " : "";
    }

    private static String grouped(String digits) {
        int end = digits.indexOf('.') < 0 ? digits.length() : digits.indexOf('.');
        StringBuilder made = new StringBuilder();
        for (int at = 0; at < digits.length(); at++) {
            if (at > 0 && at < end && (end - at) % 3 == 0) made.append(',');
            made.append(digits.charAt(at));
        }
        return made.toString();
    }
}
