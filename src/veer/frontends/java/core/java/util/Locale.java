package java.util;

import veer.Engine;

/** A language and a country. Their names, tags with more, and the locale of the machine are not known. */
public final class Locale implements Cloneable, java.io.Serializable {
    private static final long serialVersionUID = 9149081749638150636L;

    public static final Locale ENGLISH = new Locale("en", ""), FRENCH = new Locale("fr", ""), GERMAN = new Locale("de", "");
    public static final Locale ITALIAN = new Locale("it", ""), JAPANESE = new Locale("ja", ""), KOREAN = new Locale("ko", "");
    public static final Locale CHINESE = new Locale("zh", ""), SIMPLIFIED_CHINESE = new Locale("zh", "CN");
    public static final Locale TRADITIONAL_CHINESE = new Locale("zh", "TW"), FRANCE = new Locale("fr", "FR");
    public static final Locale GERMANY = new Locale("de", "DE"), ITALY = new Locale("it", "IT"), JAPAN = new Locale("ja", "JP");
    public static final Locale KOREA = new Locale("ko", "KR"), UK = new Locale("en", "GB"), US = new Locale("en", "US");
    public static final Locale CANADA = new Locale("en", "CA"), CANADA_FRENCH = new Locale("fr", "CA");
    public static final Locale CHINA = SIMPLIFIED_CHINESE, PRC = SIMPLIFIED_CHINESE, TAIWAN = TRADITIONAL_CHINESE;
    public static final Locale ROOT = new Locale("", "");

    private final String language, country, variant;

    public Locale(String language, String country, String variant) {
        if (language == null || country == null || variant == null) throw new NullPointerException();
        this.language = moved(language, 'A', 32);
        this.country = moved(country, 'a', -32);
        this.variant = variant;
        if (isRenamed(this.language)) Engine.refuse("a language whose code was changed (he, id, yi)");
        if (variant.equals("JP") || variant.equals("TH")) Engine.refuse("a variant of a Locale that stands for an extension");
    }

    public Locale(String language, String country) {
        this(language, country, "");
    }

    public Locale(String language) {
        this(language, "", "");
    }

    public static Locale of(String language, String country, String variant) {
        return new Locale(language, country, variant);
    }

    public static Locale of(String language, String country) {
        return new Locale(language, country, "");
    }

    public static Locale of(String language) {
        return new Locale(language, "", "");
    }

    /** The text with its 26 letters from `first` on moved: no other letter changes its case here. */
    private static String moved(String text, char first, int by) {
        StringBuilder made = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char unit = text.charAt(at);
            made.append(unit >= first && unit < first + 26 ? (char) (unit + by) : unit);
        }
        return made.toString();
    }

    private static boolean isRenamed(String language) {
        return switch (language) {
            case "he", "iw", "id", "in", "yi", "ji" -> true;
            default -> false;
        };
    }

    /** Whether letters of this language have the case that all others give them. */
    public boolean hasUsualCase() {
        return !language.equals("tr") && !language.equals("az") && !language.equals("lt");
    }

    public String getLanguage() {
        return language;
    }

    public String getCountry() {
        return country;
    }

    public String getVariant() {
        return variant;
    }

    public String getScript() {
        return "";
    }

    @Override
    public String toString() {
        if (language.isEmpty() && country.isEmpty()) return "";
        StringBuilder text = new StringBuilder(language);
        if (!country.isEmpty() || !variant.isEmpty()) text.append('_').append(country);
        if (!variant.isEmpty()) text.append('_').append(variant);
        return text.toString();
    }

    @Override
    public int hashCode() {
        Engine.refuse("the hash code of a Locale, which each JDK makes in its own way");
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
            || other instanceof Locale that && language.equals(that.language) && country.equals(that.country) && variant.equals(that.variant);
    }

    @Override
    public Object clone() {
        return new Locale(language, country, variant);
    }
}
