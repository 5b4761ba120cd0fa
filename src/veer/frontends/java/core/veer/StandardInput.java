package veer;

import java.io.InputStream;

/** Standard input: bytes below 128, as many as there are. What a program looks at becomes an input then. */
public final class StandardInput extends InputStream {
    private int at, size = -1;
    private Object reader; // who has a buffer that took all bytes

    @Override
    public int read() {
        return reader == null ? next() : -1;
    }

    /** For a reader that on the JVM takes all bytes that there are into its buffer: others get none from then on. */
    public int readFor(Object reader) {
        if (this.reader == null) this.reader = reader;
        return this.reader == reader ? next() : -1;
    }

    private int next() {
        if (size < 0) size = Engine.aSizeOfInput();
        if (at >= size) return -1;
        at++;
        return Engine.aByteOfInput();
    }

    @Override
    public int available() {
        Engine.refuse("System.in.available");
        return 0;
    }

    @Override
    public void close() {}
}
