package veer;

/** What monitors of specifications tell, where veer's lowering has code for it. */
public final class Specifications {
    private Specifications() {}

    /** An event with its first whole numbers. */
    public static native void event(int event, int count, long first, long second, long third, long fourth);

    /** What must hold. */
    public static native void check(boolean holds, int number, String name);

    /** What a register of a specification holds. */
    public static native void register(int number, int register, boolean holds);

    /** Behind an event: whether it was seen, and how many registers there are. */
    public static native void state(int number, boolean isSeen, int count);

    /** A name has more values than are followed. */
    public static native void full();
}
