package org.sosy_lab.sv_benchmarks;

import veer.Engine;

/** The inputs of SV-COMP's tasks. */
public final class Verifier {
    public static void assume(boolean holds) {
        Engine.assume(holds);
    }

    public static boolean nondetBoolean() {
        return Engine.aBoolean();
    }

    public static byte nondetByte() {
        return Engine.aByte();
    }

    public static char nondetChar() {
        return Engine.aChar();
    }

    public static short nondetShort() {
        return Engine.aShort();
    }

    public static int nondetInt() {
        return Engine.anInt();
    }

    public static long nondetLong() {
        return Engine.aLong();
    }

    public static float nondetFloat() {
        return Engine.aFloat();
    }

    public static double nondetDouble() {
        return Engine.aDouble();
    }

    public static String nondetString() {
        return veer.Inputs.string();
    }
}
