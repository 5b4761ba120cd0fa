package java.util;

import veer.Engine;

/** A moment. What needs a time zone (its text, its year) is not known. */
public class Date implements java.io.Serializable, Cloneable, Comparable<Date> {
    private static final long serialVersionUID = 7523967970034938905L;

    private long milliseconds;

    public Date() {
        this(System.currentTimeMillis());
    }

    public Date(long milliseconds) {
        this.milliseconds = milliseconds;
    }

    public static Date from(java.time.Instant instant) {
        try {
            return new Date(instant.toEpochMilli());
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(overflow);
        }
    }

    public java.time.Instant toInstant() {
        return java.time.Instant.ofEpochMilli(milliseconds);
    }

    public long getTime() {
        return milliseconds;
    }

    public void setTime(long milliseconds) {
        this.milliseconds = milliseconds;
    }

    public boolean before(Date other) {
        return milliseconds < other.milliseconds;
    }

    public boolean after(Date other) {
        return milliseconds > other.milliseconds;
    }

    @Override
    public int compareTo(Date other) {
        return Long.compare(milliseconds, other.milliseconds);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Date that && milliseconds == that.milliseconds;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(milliseconds);
    }

    @Override
    public Object clone() {
        try {
            return super.clone();
        } catch (CloneNotSupportedException never) {
            throw new InternalError(never);
        }
    }

    @Override
    public String toString() {
        Engine.refuse("the text of a Date, which needs a time zone");
        return null;
    }
}
