package veer;

/** What monitors of specifications tell, on the JVM: what is violated ends the test. */
public final class Specifications {
    private Specifications() {}

    /** A specification is violated. */
    public static final class Violated extends Error {
        private static final long serialVersionUID = 1;

        Violated(String name) {
            super(name);
        }
    }

    public static void event(int event, int count, long first, long second, long third, long fourth) {}

    public static void check(boolean holds, int number, String name) {
        if (!holds) throw new Violated(name);
    }

    public static void register(int number, int register, boolean holds) {}

    public static void state(int number, boolean isSeen, int count) {}

    public static void full() {
        throw new UnsupportedOperationException("more values of a specification's name than are followed");
    }
}
