package java.nio.charset;

import veer.Engine;

/** A character set: String has code of its own for UTF-8, ISO-8859-1 and US-ASCII, and encoders of the others are not known. */
public class Charset implements Comparable<Charset> {
    private static final String[] LATIN = {
        "ISO-8859-1", "iso-ir-100", "ISO_8859-1", "latin1", "l1", "IBM819", "cp819", "csISOLatin1", "819", "IBM-819", "ISO8859_1",
        "ISO_8859-1:1987", "ISO_8859_1", "8859_1", "ISO8859-1",
    };
    private static final String[] ASCII = {
        "US-ASCII", "iso-ir-6", "ANSI_X3.4-1986", "ISO_646.irv:1991", "ASCII", "ISO646-US", "us", "IBM367", "cp367", "csASCII",
        "default", "646", "iso_646.irv:1983", "ANSI_X3.4-1968", "ascii7",
    };
    private static final String[] UTF = {"UTF-8", "UTF8", "unicode-1-1-utf-8"};

    private final String name;

    protected Charset(String name) {
        this.name = name;
    }

    public static Charset forName(String name) {
        if (name == null) throw new IllegalArgumentException("Null charset name");
        checkName(name);
        if (isOneOf(name, UTF)) return sun.nio.cs.UTF_8.INSTANCE;
        if (isOneOf(name, LATIN)) return sun.nio.cs.ISO_8859_1.INSTANCE;
        if (isOneOf(name, ASCII)) return sun.nio.cs.US_ASCII.INSTANCE;
        Engine.refuse("a character set that is not UTF-8, ISO-8859-1 or US-ASCII");
        return null;
    }

    public static boolean isSupported(String name) {
        if (name == null) throw new IllegalArgumentException("Null charset name");
        return forName(name) != null;
    }

    private static boolean isOneOf(String name, String[] names) {
        for (String each : names) {
            if (each.equalsIgnoreCase(name)) return true;
        }
        return false;
    }

    private static void checkName(String name) {
        if (name.length() == 0) throw new IllegalCharsetNameException(name);
        for (int at = 0; at < name.length(); at++) {
            char each = name.charAt(at);
            boolean isLetter = each >= 'A' && each <= 'Z' || each >= 'a' && each <= 'z' || each >= '0' && each <= '9';
            boolean isMark = at != 0 && (each == '-' || each == '+' || each == ':' || each == '_' || each == '.');
            if (!isLetter && !isMark) throw new IllegalCharsetNameException(name);
        }
    }

    public final String name() {
        return name;
    }

    public String displayName() {
        return name;
    }

    @Override
    public final int compareTo(Charset other) {
        return name.compareToIgnoreCase(other.name);
    }

    @Override
    public final int hashCode() {
        return name.hashCode();
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof Charset that && name.equals(that.name);
    }

    @Override
    public final String toString() {
        return name;
    }
}
