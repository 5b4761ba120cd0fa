package java.util;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;

/** In the place of the runtime's: words between white space, numbers, lines. What is not here ends a run by name. */
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
                next = stream == null ? reader.read() : isStandard() ? ((veer.StandardInput) stream).readFor(this) : stream.read();
            } catch (IOException error) {
                next = -1;
            }
            if (next > 127) veer.Engine.refuse("a character from 128 on in a Scanner");
            if (next < 0) isAtEnd = true;
            else ahead.append((char) next);
        }
        return at < ahead.length() ? ahead.charAt(at) : -1;
    }

    private boolean isStandard() {
        return stream instanceof veer.StandardInput;
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
        String word = wanted();
        take(word);
        return word;
    }

    /** The next word, which somebody wants: the white space before it is taken, even where the word is none of theirs. */
    private String wanted() {
        int first = first();
        ahead.delete(0, first == NOTHING ? ahead.length() : first);
        if (first == NOTHING) throw new NoSuchElementException();
        return ahead.substring(0, behind(0));
    }

    private void take(String word) {
        ahead.delete(0, word.length());
    }

    /** The digits of a whole number with its sign, without the commas between thousands; null for another word. */
    private static String digits(String word) {
        int first = signEnd(word);
        return isWhole(word, first, word.length()) ? word.replace(",", "") : null;
    }

    private static int signEnd(String word) {
        return word.length() > 0 && (word.charAt(0) == '-' || word.charAt(0) == '+') ? 1 : 0;
    }

    /** Whether digits stand there, at least one, with commas between all thousands or none. */
    private static boolean isWhole(String word, int first, int end) {
        if (first >= end) return false;
        int comma = word.indexOf(',');
        if (comma >= end) comma = -1;
        for (int at = first; at < end; at++) {
            char unit = word.charAt(at);
            boolean isComma = comma >= 0 && at >= comma && (at - comma) % 4 == 0;
            if (isComma ? unit != ',' : unit < '0' || unit > '9') return false;
        }
        if (comma < 0) return true;
        return comma > first && comma <= first + 3 && word.charAt(first) != '0' && (end - comma) % 4 == 0;
    }

    /** A real number as Double.parseDouble takes it; null for another word. */
    private static String real(String word) {
        int first = signEnd(word);
        String rest = word.substring(first);
        if (rest.equals("NaN") || rest.equals("Infinity")) return word;
        int end = first;
        while (end < word.length() && (isDigit(word, end) || word.charAt(end) == ',')) end++;
        boolean hasWhole = end > first;
        if (hasWhole && !isWhole(word, first, end)) return null;
        if (end < word.length() && word.charAt(end) == '.') {
            int point = end++;
            while (isDigit(word, end)) end++;
            if (!hasWhole && end == point + 1) return null;
        } else if (!hasWhole) {
            return null;
        }
        return isExponent(word, end) ? word.replace(",", "") : null;
    }

    /** Whether an exponent stands there, or nothing. */
    private static boolean isExponent(String word, int first) {
        if (first == word.length()) return true;
        int at = first + 1;
        if (word.charAt(first) != 'e' && word.charAt(first) != 'E') return false;
        if (at < word.length() && (word.charAt(at) == '-' || word.charAt(at) == '+')) at++;
        if (!isDigit(word, at)) return false;
        while (isDigit(word, at)) at++;
        return at == word.length();
    }

    private static boolean isDigit(String word, int at) {
        return at < word.length() && word.charAt(at) >= '0' && word.charAt(at) <= '9';
    }

    private String number() {
        String digits = digits(wanted());
        if (digits == null) throw new InputMismatchException();
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

    /** The next word, as Double.parseDouble takes it. */
    private String reals() {
        String real = real(wanted());
        if (real == null) throw new InputMismatchException();
        return real;
    }

    public boolean hasNextDouble() {
        String word = word();
        return word != null && real(word) != null;
    }

    public double nextDouble() {
        double found = Double.parseDouble(reals());
        take(word());
        return found;
    }

    public boolean hasNextFloat() {
        return hasNextDouble();
    }

    public float nextFloat() {
        float found = Float.parseFloat(reals());
        take(word());
        return found;
    }

    public boolean hasNextBoolean() {
        String word = word();
        return word != null && (word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false"));
    }

    public boolean nextBoolean() {
        String word = wanted();
        if (!hasNextBoolean()) throw new InputMismatchException();
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
