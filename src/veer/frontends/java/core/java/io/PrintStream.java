package java.io;

import java.util.Locale;

/** Standard output and standard error: what is written there is not looked at, but the texts are made. */
public class PrintStream extends FilterOutputStream implements Appendable, Closeable {
    public PrintStream() {
        super(null);
    }

    private static void text(Object value) {
        VeerTexts.write(value);
    }

    public void print(boolean value) {}

    public void print(char value) {}

    public void print(int value) {}

    public void print(long value) {}

    public void print(float value) {}

    public void print(double value) {}

    public void print(char[] value) {
        if (value.length < 0) return;
    }

    public void print(String value) {}

    public void print(Object value) {
        text(value);
    }

    public void println() {}

    public void println(boolean value) {}

    public void println(char value) {}

    public void println(int value) {}

    public void println(long value) {}

    public void println(float value) {}

    public void println(double value) {}

    public void println(char[] value) {
        if (value.length < 0) return;
    }

    public void println(String value) {}

    public void println(Object value) {
        text(value);
    }

    public PrintStream printf(String form, Object... values) {
        VeerTexts.writeFormatted(form, values);
        return this;
    }

    public PrintStream printf(Locale locale, String form, Object... values) {
        return format(form, values);
    }

    public PrintStream format(String form, Object... values) {
        VeerTexts.writeFormatted(form, values);
        return this;
    }

    public PrintStream append(CharSequence value) {
        text(value);
        return this;
    }

    public PrintStream append(CharSequence value, int start, int end) {
        (value == null ? "null" : value).subSequence(start, end);
        return this;
    }

    public PrintStream append(char value) {
        return this;
    }

    public void write(int value) {}

    public void write(byte[] values, int start, int count) {
        java.util.Objects.checkFromIndexSize(start, count, values.length);
    }

    public void write(byte[] values) {
        if (values.length < 0) return;
    }

    public void flush() {}

    public void close() {}

    public boolean checkError() {
        return false;
    }
}
