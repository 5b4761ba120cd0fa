package org.sosy_lab.sv_benchmarks;

import veer.Given;

/** Gives a program the inputs of a test. */
public final class Verifier {
    private Verifier() {}

    public static void assume(boolean holds) {
        if (!holds) throw new IllegalStateException("the test's inputs do not satisfy what the program assumes");
    }

    public static boolean nondetBoolean() {
        return (Given.next("aBoolean") & 1) != 0;
    }

    public static byte nondetByte() {
        return (byte) Given.next("aByte");
    }

    public static char nondetChar() {
        return (char) Given.next("aChar");
    }

    public static short nondetShort() {
        return (short) Given.next("aShort");
    }

    public static int nondetInt() {
        return (int) Given.next("anInt");
    }

    public static long nondetLong() {
        return Given.next("aLong");
    }

    public static float nondetFloat() {
        return Float.intBitsToFloat((int) Given.next("aFloat"));
    }

    public static double nondetDouble() {
        return Double.longBitsToDouble(Given.next("aDouble"));
    }

    public static String nondetString() {
        return Given.string();
    }
}
