package sun.nio.cs;

import java.nio.charset.Charset;

/** What String compares a character set with. */
public final class UTF_8 extends Charset {
    public static final UTF_8 INSTANCE = new UTF_8();

    public UTF_8() {
        super("UTF-8");
    }
}
