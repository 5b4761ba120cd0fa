package java.util.concurrent.atomic;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** A number that one thread changes. */
public class AtomicInteger extends Number {
    private int value;

    public AtomicInteger() {}

    public AtomicInteger(int value) {
        this.value = value;
    }

    public final int get() {
        return value;
    }

    public final void set(int next) {
        value = next;
    }

    public final void lazySet(int next) {
        value = next;
    }

    public final int getAndSet(int next) {
        int before = value;
        value = next;
        return before;
    }

    public final boolean compareAndSet(int expected, int next) {
        if (value != expected) return false;
        value = next;
        return true;
    }

    public final int getAndAdd(int by) {
        int before = value;
        value = before + by;
        return before;
    }

    public final int addAndGet(int by) {
        return value += by;
    }

    public final int getAndIncrement() {
        return value++;
    }

    public final int getAndDecrement() {
        return value--;
    }

    public final int incrementAndGet() {
        return ++value;
    }

    public final int decrementAndGet() {
        return --value;
    }

    public final int getAndUpdate(IntUnaryOperator by) {
        int before = value;
        value = by.applyAsInt(before);
        return before;
    }

    public final int updateAndGet(IntUnaryOperator by) {
        return value = by.applyAsInt(value);
    }

    public final int getAndAccumulate(int other, IntBinaryOperator by) {
        int before = value;
        value = by.applyAsInt(before, other);
        return before;
    }

    public final int accumulateAndGet(int other, IntBinaryOperator by) {
        return value = by.applyAsInt(value, other);
    }

    public String toString() {
        return Integer.toString(value);
    }

    public int intValue() {
        return value;
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
