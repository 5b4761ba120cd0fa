package veer;

import java.io.InputStream;

/** Standard input: bytes below 128, as many as there are. What a program looks at becomes an input then. */
public final class StandardInput extends InputStream {
    private int at, size = -1;

    @Override
    public int read() {
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
