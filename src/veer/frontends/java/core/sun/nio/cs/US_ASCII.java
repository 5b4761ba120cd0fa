package sun.nio.cs;

import java.nio.charset.Charset;

/** What String compares a character set with. */
public final class US_ASCII extends Charset {
    public static final US_ASCII INSTANCE = new US_ASCII();

    public US_ASCII() {
        super("US-ASCII");
    }
}
