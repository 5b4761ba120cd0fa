package java.lang;

import java.util.Locale;
import veer.Engine;

/** In the place of methods of String: those that ask for a locale, a character set or a formatter. */
final class Veer_String {
    static String join(CharSequence between, CharSequence... parts) {
        StringBuilder all = new StringBuilder();
        if (between == null) throw new NullPointerException();
        for (int at = 0; at < parts.length; at++) {
            if (at > 0) all.append(between);
            all.append(parts[at]);
        }
        return all.toString();
    }

    static String join(CharSequence between, Iterable<? extends CharSequence> parts) {
        StringBuilder all = new StringBuilder();
        if (between == null || parts == null) throw new NullPointerException();
        boolean isLater = false;
        for (CharSequence each : parts) {
            if (isLater) all.append(between);
            isLater = true;
            all.append(each);
        }
        return all.toString();
    }

    static String toLowerCase(String text) {
        StringBuilder made = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            if (unit >= 256) Engine.refuse("the case of characters from 256 on");
            made.append(Character.toLowerCase(unit));
        }
        return made.toString();
    }

    static String toUpperCase(String text) {
        StringBuilder made = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            if (unit >= 256) Engine.refuse("the case of characters from 256 on");
            if (unit == 0xDF) made.append("SS");
            else if (unit == 0xB5) made.append((char) 0x39C);
            else if (unit == 0xFF) made.append((char) 0x178);
            else made.append(Character.toUpperCase(unit));
        }
        return made.toString();
    }

    static String toLowerCase(String text, Locale locale) {
        checkCase(locale);
        return text.toLowerCase();
    }

    static String toUpperCase(String text, Locale locale) {
        checkCase(locale);
        return text.toUpperCase();
    }

    private static void checkCase(Locale locale) {
        if (locale == null) throw new NullPointerException();
        if (!locale.hasUsualCase()) Engine.refuse("the case of letters in Turkish, Azeri or Lithuanian");
    }

    static byte[] getBytes(String text) {
        byte[] made = new byte[text.length()];
        for (int at = 0; at < made.length; at++) {
            char unit = text.charAt(at);
            if (unit >= 128) Engine.refuse("bytes of characters from 128 on");
            made[at] = (byte) unit;
        }
        return made;
    }

    /** What split(between) gives where `between` is a literal of one character that means nothing else in a pattern. */
    static String[] splitAt(String text, String between) {
        java.util.ArrayList<String> parts = new java.util.ArrayList<>();
        char mark = between.charAt(between.length() - 1);
        int start = 0;
        for (int at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, start)) {
            parts.add(text.substring(start, at));
            start = at + 1;
        }
        if (start == 0) return new String[] {text};
        parts.add(text.substring(start));
        int count = parts.size();
        while (count > 0 && parts.get(count - 1).isEmpty()) count--;
        String[] made = new String[count];
        for (int at = 0; at < count; at++) made[at] = parts.get(at);
        return made;
    }

    static String format(String form, Object... values) {
        return new VeerFormat(null).filled(form, values);
    }

    static String formatted(String form, Object... values) {
        return new VeerFormat(null).filled(form, values);
    }

    static String format(Locale locale, String form, Object... values) {
        return new VeerFormat(locale).filled(form, values);
    }
}
