package java.nio.charset;

/** The six that every Java has. */
public final class StandardCharsets {
    private StandardCharsets() {}

    public static final Charset US_ASCII = sun.nio.cs.US_ASCII.INSTANCE, ISO_8859_1 = sun.nio.cs.ISO_8859_1.INSTANCE;
    public static final Charset UTF_8 = sun.nio.cs.UTF_8.INSTANCE, UTF_16BE = new Charset("UTF-16BE");
    public static final Charset UTF_16LE = new Charset("UTF-16LE"), UTF_16 = new Charset("UTF-16");
}
