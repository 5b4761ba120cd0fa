package java.io;

/** In the place of the runtime's: it reads what it is asked for, and one character more behind '\r'. */
public class BufferedReader extends Reader {
    private Reader from;
    private boolean skipsLineFeed;

    public BufferedReader(Reader from) {
        super(from);
        this.from = from;
    }

    public BufferedReader(Reader from, int size) {
        this(from);
        if (size <= 0) throw new IllegalArgumentException("Buffer size <= 0");
    }

    private void checkOpen() throws IOException {
        if (from == null) throw new IOException("Stream closed");
    }

    @Override
    public int read() throws IOException {
        checkOpen();
        int unit = from.read();
        if (skipsLineFeed) {
            skipsLineFeed = false;
            if (unit == '\n') unit = from.read();
        }
        return unit;
    }

    @Override
    public int read(char[] units, int first, int count) throws IOException {
        checkOpen();
        for (int at = 0; at < count; at++) {
            int unit = read();
            if (unit < 0) return at > 0 ? at : -1;
            units[first + at] = (char) unit;
        }
        return count;
    }

    public String readLine() throws IOException {
        checkOpen();
        int unit = read();
        if (unit < 0) return null;
        StringBuilder line = new StringBuilder();
        while (unit >= 0 && unit != '\n' && unit != '\r') {
            line.append((char) unit);
            unit = read();
        }
        skipsLineFeed = unit == '\r';
        return line.toString();
    }

    @Override
    public boolean ready() throws IOException {
        checkOpen();
        return from.ready();
    }

    @Override
    public void close() throws IOException {
        if (from != null) from.close();
        from = null;
    }
}
