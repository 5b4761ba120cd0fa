package java.util;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;

/** In the place of the runtime's: words between white space, whole numbers, lines. What is not here ends a run by name. */
public final class Scanner implements AutoCloseable {
    private static final int NOTHING = -2;

    private final Reader reader;
    private final InputStream stream;
    private final StringBuilder ahead = new StringBuilder(); // what was looked at, and not taken
    private boolean isAtEnd, isClosed;

    public Scanner(InputStream stream) {
        this.stream = Objects.requireNonNull(stream, "source");
        this.reader = null;
    }

    public Scanner(Reader reader) {
        this.reader = Objects.requireNonNull(reader, "source");
        this.stream = null;
    }

    public Scanner(String text) {
        this(new StringReader(text));
    }

    /** The character at a place from here on; -1: the end. */
    private int unit(int at) {
        if (isClosed) throw new IllegalStateException("Scanner closed");
        while (ahead.length() <= at && !isAtEnd) {
            int next;
            try {
                next = stream != null ? stream.read() : reader.read();
            } catch (IOException error) {
                next = -1;
            }
            if (next > 127) veer.Engine.refuse("a character from 128 on in a Scanner");
            if (next < 0) isAtEnd = true;
            else ahead.append((char) next);
        }
        return at < ahead.length() ? ahead.charAt(at) : -1;
    }

    /** The word that is next: its first place, or NOTHING. */
    private int first() {
        int at = 0;
        while (isSpace(unit(at))) at++;
        return unit(at) < 0 ? NOTHING : at;
    }

    private int behind(int first) {
        int at = first;
        while (unit(at) >= 0 && !isSpace(unit(at))) at++;
        return at;
    }

    private static boolean isSpace(int unit) {
        return unit == ' ' || unit >= 9 && unit <= 13 || unit >= 28 && unit <= 31;
    }

    private String word() {
        int first = first();
        return first == NOTHING ? null : ahead.substring(first, behind(first));
    }

    public boolean hasNext() {
        return first() != NOTHING;
    }

    public String next() {
        String word = word();
        if (word == null) throw new NoSuchElementException();
        take(word);
        return word;
    }

    private void take(String word) {
        int first = first();
        ahead.delete(0, first + word.length());
    }

    /** The digits of a whole number with its sign, without the commas between thousands; null for another word. */
    private static String digits(String word) {
        int first = word.length() > 0 && (word.charAt(0) == '-' || word.charAt(0) == '+') ? 1 : 0;
        if (first == word.length()) return null;
        int comma = word.indexOf(',');
        for (int at = first; at < word.length(); at++) {
            char unit = word.charAt(at);
            boolean isComma = comma >= 0 && at >= comma && (at - comma) % 4 == 0;
            if (isComma ? unit != ',' : unit < '0' || unit > '9') return null;
        }
        if (comma < 0) return word;
        if (comma == first || comma > first + 3 || word.charAt(first) == '0') return null;
        if ((word.length() - comma) % 4 != 0) return null;
        return word.replace(",", "");
    }

    private String number() {
        String word = word();
        if (word == null) throw new NoSuchElementException();
        String digits = digits(word);
        if (digits == null) throw new InputMismatchException("For input string: \"" + word + "\"");
        return digits;
    }

    /** Whether the next word is a whole number between these two. */
    private boolean holds(long least, long most) {
        String word = word();
        String digits = word == null ? null : digits(word);
        if (digits == null) return false;
        try {
            long found = Long.parseLong(digits);
            return least <= found && found <= most;
        } catch (NumberFormatException error) {
            return false;
        }
    }

    public boolean hasNextInt() {
        return holds(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public int nextInt() {
        try {
            int found = Integer.parseInt(number());
            take(word());
            return found;
        } catch (NumberFormatException error) {
            throw new InputMismatchException(error.getMessage());
        }
    }

    public boolean hasNextLong() {
        return holds(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    public long nextLong() {
        try {
            long found = Long.parseLong(number());
            take(word());
            return found;
        } catch (NumberFormatException error) {
            throw new InputMismatchException(error.getMessage());
        }
    }

    public short nextShort() {
        try {
            short found = Short.parseShort(number());
            take(word());
            return found;
        } catch (NumberFormatException error) {
            throw new InputMismatchException(error.getMessage());
        }
    }

    public byte nextByte() {
        try {
            byte found = Byte.parseByte(number());
            take(word());
            return found;
        } catch (NumberFormatException error) {
            throw new InputMismatchException(error.getMessage());
        }
    }

    public boolean hasNextBoolean() {
        String word = word();
        return word != null && (word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false"));
    }

    public boolean nextBoolean() {
        String word = word();
        if (word == null) throw new NoSuchElementException();
        if (!hasNextBoolean()) throw new InputMismatchException("For input string: \"" + word + "\"");
        take(word);
        return word.equalsIgnoreCase("true");
    }

    public boolean hasNextLine() {
        return unit(0) >= 0;
    }

    public String nextLine() {
        if (unit(0) < 0) throw new NoSuchElementException("No line found");
        int at = 0;
        while (unit(at) >= 0 && unit(at) != '\n' && unit(at) != '\r') at++;
        String line = ahead.substring(0, at);
        int end = unit(at) < 0 ? at : unit(at) == '\r' && unit(at + 1) == '\n' ? at + 2 : at + 1;
        ahead.delete(0, end);
        return line;
    }

    @Override
    public void close() {
        if (isClosed) return;
        isClosed = true;
        try {
            if (stream != null) stream.close();
            else reader.close();
        } catch (IOException error) {
            // as the runtime's
        }
    }
}
