package java.io;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

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

    public Stream<String> lines() {
        int kind = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Lines(), kind), false);
    }

    /** Those that are left, each read when it is asked for. */
    private final class Lines implements Iterator<String> {
        private String next;

        @Override
        public boolean hasNext() {
            try {
                if (next == null) next = readLine();
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
            return next != null;
        }

        @Override
        public String next() {
            if (!hasNext()) throw new NoSuchElementException();
            String line = next;
            next = null;
            return line;
        }
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void mark(int limit) throws IOException {
        veer.Engine.refuse("java.io.BufferedReader.mark");
    }

    @Override
    public void reset() throws IOException {
        veer.Engine.refuse("java.io.BufferedReader.reset");
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
