package java.lang.ref;

/** A reference that the program alone clears: no run collects garbage. */
public abstract class Reference<T> {
    private T referent;

    Reference(T referent) {
        this.referent = referent;
    }

    public T get() {
        return referent;
    }

    public final boolean refersTo(T other) {
        return referent == other;
    }

    public void clear() {
        referent = null;
    }

    @Override
    protected Object clone() throws CloneNotSupportedException {
        throw new CloneNotSupportedException();
    }
}
