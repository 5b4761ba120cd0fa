package java.util.concurrent.atomic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** A number that one thread changes. */
public class AtomicLong extends Number {
    private long value;

    public AtomicLong() {}

    public AtomicLong(long value) {
        this.value = value;
    }

    public final long get() {
        return value;
    }

    public final void set(long next) {
        value = next;
    }

    public final void lazySet(long next) {
        value = next;
    }

    public final long getAndSet(long next) {
        long before = value;
        value = next;
        return before;
    }

    public final boolean compareAndSet(long expected, long next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public final long getAndAdd(long by) {
        long before = value;
        value = before + by;
        return before;
    }

    public final long addAndGet(long by) {
        return value += by;
    }

    public final long getAndIncrement() {
        return value++;
    }

    public final long getAndDecrement() {
        return value--;
    }

    public final long incrementAndGet() {
        return ++value;
    }

    public final long decrementAndGet() {
        return --value;
    }

    public final long getAndUpdate(LongUnaryOperator by) {
        long before = value;
        value = by.applyAsLong(before);
        return before;
    }

    public final long updateAndGet(LongUnaryOperator by) {
        return value = by.applyAsLong(value);
    }

    public final long getAndAccumulate(long other, LongBinaryOperator by) {
        long before = value;
        value = by.applyAsLong(before, other);
        return before;
    }

    public final long accumulateAndGet(long other, LongBinaryOperator by) {
        return value = by.applyAsLong(value, other);
    }

    public String toString() {
        return Long.toString(value);
    }

    public int intValue() {
        return (int) value;
    }

    public long longValue() {
        return value;
    }

    public float floatValue() {
        return value;
    }

    public double doubleValue() {
        return value;
    }
}
