package java.lang;

import java.util.Locale;
import veer.Engine;

/** Forms of String.format with %f. It is used where a method has such a literal: the digits of a real number take a large part of
 * the runtime. */
final class VeerRealFormat extends VeerFormat {
    private static final int PLACES = 6;

    VeerRealFormat(Locale locale) {
        super(locale);
    }

    static String format(String form, Object... values) {
        return new VeerRealFormat(null).filled(form, values);
    }

    static String format(Locale locale, String form, Object... values) {
        return new VeerRealFormat(locale).filled(form, values);
    }

    @Override
    String real(char kind, VeerDirective as, double value) {
        if (kind != 'f') Engine.refuse("String.format with an exponent");
        if (value != value) return "NaN";
        boolean isNegative = Double.compare(value, 0.0) < 0;
        double most = Math.abs(value);
        if (most == Double.POSITIVE_INFINITY) {
            return sign(as, isNegative) + (isNegative && as.isInParentheses ? "Infinity)" : "Infinity");
        }
        return signed(as, isNegative, rounded(Double.toString(most), as.precision < 0 ? PLACES : as.precision));
    }

    /** The number of this text (123.45, 1.2345E-7) with so many digits behind its point, half of one up. */
    private static String rounded(String text, int places) {
        int exponent = text.indexOf('E');
        String significand = exponent < 0 ? text : text.substring(0, exponent);
        int point = significand.indexOf('.');
        String digits = significand.substring(0, point) + significand.substring(point + 1);
        int before = point + (exponent < 0 ? 0 : Veer_Integer.parseInt(text.substring(exponent + 1)));
        int kept = before + places;
        if (kept < 0) {
            digits = "";
        } else if (kept < digits.length()) {
            boolean isUp = digits.charAt(kept) >= '5';
            digits = digits.substring(0, kept);
            if (isUp) {
                String next = increased(digits);
                before += next.length() - digits.length();
                digits = next;
            }
        }
        return written(digits, before, places);
    }

    /** The next number; of nine or no digits it has one more. */
    private static String increased(String digits) {
        StringBuilder made = new StringBuilder(digits);
        for (int at = digits.length() - 1; at >= 0; at--) {
            if (digits.charAt(at) != '9') {
                made.setCharAt(at, (char) (digits.charAt(at) + 1));
                return made.toString();
            }
            made.setCharAt(at, '0');
        }
        return made.insert(0, '1').toString();
    }

    private static String written(String digits, int before, int places) {
        StringBuilder made = new StringBuilder();
        if (before <= 0) made.append('0');
        for (int at = 0; at < before; at++) made.append(digit(digits, at));
        if (places > 0) made.append('.');
        for (int at = before; at < before + places; at++) made.append(digit(digits, at));
        return made.toString();
    }

    private static char digit(String digits, int at) {
        return at >= 0 && at < digits.length() ? digits.charAt(at) : '0';
    }
}
