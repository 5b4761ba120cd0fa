package java.lang;

import java.util.function.Supplier;

/** The one thread's value. */
public class ThreadLocal<T> {
    private boolean isSet;
    private T value;
    private Supplier<? extends T> supplier;

    public ThreadLocal() {}

    protected T initialValue() {
        return supplier == null ? null : supplier.get();
    }

    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
        ThreadLocal<S> made = new ThreadLocal<>();
        made.supplier = java.util.Objects.requireNonNull(supplier);
        return made;
    }

    public T get() {
        if (!isSet) set(initialValue());
        return value;
    }

    public void set(T given) {
        value = given;
        isSet = true;
    }

    public void remove() {
        isSet = false;
        value = null;
    }
}
