package java.io;

/** Characters of a stream whose bytes are below 128, as standard input's are. */
public class InputStreamReader extends Reader {
    private final InputStream from;

    public InputStreamReader(InputStream from) {
        super(from);
        this.from = from;
    }

    public InputStreamReader(InputStream from, java.nio.charset.Charset charset) {
        this(from);
    }

    @Override
    public int read() throws IOException {
        int unit = from instanceof veer.StandardInput ? ((veer.StandardInput) from).readFor(this) : from.read();
        if (unit > 127) veer.Engine.refuse("a byte from 128 on in an InputStreamReader");
        return unit;
    }

    @Override
    public int read(char[] units, int first, int count) throws IOException {
        for (int at = 0; at < count; at++) {
            int unit = read();
            if (unit < 0) return at > 0 ? at : -1;
            units[first + at] = (char) unit;
        }
        return count;
    }

    @Override
    public boolean ready() throws IOException {
        return from.available() > 0;
    }

    @Override
    public void close() throws IOException {
        from.close();
    }
}
