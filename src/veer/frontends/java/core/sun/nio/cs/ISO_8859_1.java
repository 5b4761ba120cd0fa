package sun.nio.cs;

import java.nio.charset.Charset;

/** What String compares a character set with. */
public final class ISO_8859_1 extends Charset {
    public static final ISO_8859_1 INSTANCE = new ISO_8859_1();

    public ISO_8859_1() {
        super("ISO-8859-1");
    }
}
