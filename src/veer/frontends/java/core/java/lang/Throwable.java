package java.lang;

import java.io.PrintStream;
import java.io.PrintWriter;
import veer.Engine;

/** What is thrown. It has no stack trace; the text of what an instruction throws is made when somebody asks for it. */
public class Throwable implements java.io.Serializable {
    /** Asked by the constructors of errors, since Java 22. */
    static volatile boolean jfrTracing;
    private static final int DIVISOR = 2, BOUNDS = 3, SIZE = 5;
    private String detailMessage;
    private Throwable cause;
    private boolean hasCause;
    private boolean isAlone; // it takes no suppressed ones
    private boolean isUnknown;
    private int index, length;
    private Throwable[] suppressed;

    public Throwable() {}

    public Throwable(String message) {
        detailMessage = message;
    }

    public Throwable(String message, Throwable cause) {
        detailMessage = message;
        this.cause = cause;
        hasCause = true;
    }

    public Throwable(Throwable cause) {
        detailMessage = cause == null ? null : cause.toString();
        this.cause = cause;
        hasCause = true;
    }

    protected Throwable(String message, Throwable cause, boolean enableSuppression, boolean writableStackTrace) {
        this(message, cause);
        isAlone = !enableSuppression;
    }

    /** Its text is not known to veer. */
    static void hide(Throwable made) {
        made.isUnknown = true;
    }

    public String getMessage() {
        if (isUnknown) Engine.refuse("the message of an exception is asked for, which veer does not make");
        int reason = Engine.reason(this);
        if (reason == 0) return detailMessage;
        if (reason == DIVISOR) return "/ by zero";
        if (reason == BOUNDS) return "Index " + index + " out of bounds for length " + length;
        if (reason == SIZE) return Integer.toString(index);
        Engine.refuse("the message of an exception that the JVM made is asked for");
        return null;
    }

    public String getLocalizedMessage() {
        return getMessage();
    }

    public synchronized Throwable getCause() {
        return cause;
    }

    public synchronized Throwable initCause(Throwable given) {
        if (hasCause) throw new IllegalStateException("Can't overwrite cause with " + (given == null ? "a null" : given.toString()), this);
        if (given == this) throw new IllegalArgumentException("Self-causation not permitted", this);
        cause = given;
        hasCause = true;
        return this;
    }

    final void setCause(Throwable given) {
        cause = given;
        hasCause = true;
    }

    public String toString() {
        String message = getLocalizedMessage();
        return message != null ? getClass().getName() + ": " + message : getClass().getName();
    }

    public void printStackTrace() {}

    public void printStackTrace(PrintStream to) {
        if (to == null) throw new NullPointerException();
    }

    public void printStackTrace(PrintWriter to) {
        Engine.refuse("a stack trace is written");
    }

    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    public StackTraceElement[] getStackTrace() {
        Engine.refuse("java.lang.Throwable.getStackTrace");
        return null;
    }

    public void setStackTrace(StackTraceElement[] trace) {}

    public final synchronized void addSuppressed(Throwable other) {
        if (other == this) throw new IllegalArgumentException("Self-suppression not permitted", other);
        if (other == null) throw new NullPointerException("Cannot suppress a null exception.");
        if (isAlone) return;
        int count = suppressed == null ? 0 : suppressed.length;
        Throwable[] more = new Throwable[count + 1];
        for (int at = 0; at < count; at++) more[at] = suppressed[at];
        more[count] = other;
        suppressed = more;
    }

    public final synchronized Throwable[] getSuppressed() {
        int count = suppressed == null ? 0 : suppressed.length;
        Throwable[] all = new Throwable[count];
        for (int at = 0; at < count; at++) all[at] = suppressed[at];
        return all;
    }
}
