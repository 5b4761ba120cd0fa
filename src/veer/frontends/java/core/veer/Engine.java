package veer;

/** What veer's lowering has code of its own for. */
public final class Engine {
    private Engine() {}

    /** The run ends as unsupported. The text is a literal. */
    public static native void refuse(String why);

    /** The run is none where this does not hold. */
    public static native void assume(boolean holds);

    /** The program ends. */
    public static native void exit(int status);

    /** An input. Each call makes another one of its name. */
    public static native boolean aBoolean();

    public static native byte aByte();

    public static native char aChar();

    public static native short aShort();

    public static native int anInt();

    public static native long aLong();

    public static native float aFloat();

    public static native double aDouble();

    /** A character of a string that is an input, below 256. */
    public static native byte aCharacter();

    /** An input from 0 to the most characters that strings have, --max-length. */
    public static native int aLength();

    /** An input from 0 to the most bytes that standard input has, --stdin-size. */
    public static native int aSizeOfInput();

    /** A byte of standard input, below 128. */
    public static native byte aByteOfInput();

    /** A time that a clock says. */
    public static native long aClock();

    /** 32 bits of a generator without a seed. */
    public static native int aRandom();

    /** The check of an instruction that made an exception (traps.py), or 0. */
    public static native int reason(Object exception);

    /** Marks what a box's valueOf made: two such of the same small number are one object. */
    public static native <T> T boxed(T made);

    /** Whether the JVM has one object for both, where an input may be a copy of a constant. */
    public static native boolean same(Object one, Object other);

    /** A number for an object, another one for each that asks. */
    public static native int identity(Object object);

    /** What values() of an enum gives, by its class; null for another one. */
    public static native Object[] enumConstants(Class<?> owner);

    /** Whether an object is of a class or below it. */
    public static native boolean isInstance(Class<?> owner, Object object);

    /** An array of this class of arrays of references. */
    public static native Object[] arrayOf(Class<?> owner, int length);

    /** An array whose elements are of this class. */
    public static native Object[] arrayOfComponent(Class<?> component, int length);

    /** The class of the elements of a class of arrays; null where it is none. */
    public static native Class<?> component(Class<?> owner);
}
