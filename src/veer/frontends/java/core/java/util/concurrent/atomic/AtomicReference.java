package java.util.concurrent.atomic;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** A reference that one thread changes. */
public class AtomicReference<V> implements java.io.Serializable {
    private V value;

    public AtomicReference() {}

    public AtomicReference(V value) {
        this.value = value;
    }

    public final V get() {
        return value;
    }

    public final void set(V next) {
        value = next;
    }

    public final void lazySet(V next) {
        value = next;
    }

    public final V getAndSet(V next) {
        V before = value;
        value = next;
        return before;
    }

    public final boolean compareAndSet(V expected, V next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public final V getAndUpdate(UnaryOperator<V> by) {
        V before = value;
        value = by.apply(before);
        return before;
    }

    public final V updateAndGet(UnaryOperator<V> by) {
        return value = by.apply(value);
    }

    public final V getAndAccumulate(V other, BinaryOperator<V> by) {
        V before = value;
        value = by.apply(before, other);
        return before;
    }

    public final V accumulateAndGet(V other, BinaryOperator<V> by) {
        return value = by.apply(value, other);
    }

    public String toString() {
        return String.valueOf(value);
    }
}
