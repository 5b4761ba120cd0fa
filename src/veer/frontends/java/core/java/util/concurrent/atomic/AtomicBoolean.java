package java.util.concurrent.atomic;

/** A truth value that one thread changes. */
public class AtomicBoolean implements java.io.Serializable {
    private boolean value;

    public AtomicBoolean() {}

    public AtomicBoolean(boolean value) {
        this.value = value;
    }

    public final boolean get() {
        return value;
    }

    public final void set(boolean next) {
        value = next;
    }

    public final void lazySet(boolean next) {
        value = next;
    }

    public final boolean getAndSet(boolean next) {
        boolean before = value;
        value = next;
        return before;
    }

    public final boolean compareAndSet(boolean expected, boolean next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public String toString() {
        return String.valueOf(value);
    }
}
