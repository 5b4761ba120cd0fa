package java.lang;

import java.io.PrintStream;
import veer.Engine;

/** In the place of members of System. */
final class Veer_System {
    static final PrintStream out = new PrintStream();
    static final PrintStream err = new PrintStream();

    static final java.io.InputStream in = new veer.StandardInput();

    static void exit(int status) {
        Engine.exit(status);
    }

    static int identityHashCode(Object object) {
        return object == null ? 0 : Engine.identity(object);
    }

    static String lineSeparator() {
        return "\n";
    }

    /** What is the same on all machines of veer's; other properties are of the machine, or of a command line. */
    static String getProperty(String key) {
        if (key == null) throw new NullPointerException("key can't be null");
        if (key.isEmpty()) throw new IllegalArgumentException("key can't be empty");
        switch (key) {
            case "line.separator": return "\n";
            case "file.separator": return "/";
            case "path.separator": return ":";
            case "os.name": return "Linux";
            default: Engine.refuse("a property of System that depends on the machine or the command line");
        }
        return null;
    }

    /** The clocks may say anything, but never go back. */
    private static long milliseconds, nanoseconds = Long.MIN_VALUE;

    static long currentTimeMillis() {
        long now = Engine.aClock();
        Engine.assume(now >= milliseconds);
        milliseconds = now;
        return now;
    }

    static long nanoTime() {
        long now = Engine.aClock();
        Engine.assume(now >= nanoseconds);
        nanoseconds = now;
        return now;
    }

    static void gc() {}
}
