package java.util;

/** Texts with a delimiter between them. The runtime's own asks String for it by a door that is not followed. */
public final class StringJoiner {
    private final String prefix;
    private final String delimiter;
    private final String suffix;
    private StringBuilder joined; // null: nothing was added
    private String emptyValue;

    public StringJoiner(CharSequence delimiter) {
        this(delimiter, "", "");
    }

    public StringJoiner(CharSequence delimiter, CharSequence prefix, CharSequence suffix) {
        Objects.requireNonNull(prefix, "The prefix must not be null");
        Objects.requireNonNull(delimiter, "The delimiter must not be null");
        Objects.requireNonNull(suffix, "The suffix must not be null");
        this.prefix = prefix.toString();
        this.delimiter = delimiter.toString();
        this.suffix = suffix.toString();
    }

    public StringJoiner setEmptyValue(CharSequence value) {
        emptyValue = Objects.requireNonNull(value, "The empty value must not be null").toString();
        return this;
    }

    public StringJoiner add(CharSequence next) {
        String text = String.valueOf(next);
        if (joined == null) joined = new StringBuilder();
        else joined.append(delimiter);
        joined.append(text);
        return this;
    }

    public StringJoiner merge(StringJoiner other) {
        Objects.requireNonNull(other);
        return other.joined == null ? this : add(other.joined.toString());
    }

    public int length() {
        if (joined == null && emptyValue != null) return emptyValue.length();
        return prefix.length() + (joined == null ? 0 : joined.length()) + suffix.length();
    }

    public String toString() {
        if (joined == null && emptyValue != null) return emptyValue;
        StringBuilder all = new StringBuilder().append(prefix);
        if (joined != null) all.append(joined.toString());
        return all.append(suffix).toString();
    }
}
