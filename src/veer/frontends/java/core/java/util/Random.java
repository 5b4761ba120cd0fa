package java.util;

import veer.Engine;

/**
 * The generator of java.util.Random's documentation, where a seed is given; else any numbers: more than the JVM's can make, so that
 * what holds for all of them holds.
 */
public class Random implements java.io.Serializable {
    private static final long MULTIPLIER = 0x5DEECE66DL, ADDEND = 0xBL, MASK = (1L << 48) - 1;
    private long seed;
    private double nextNextGaussian;
    private boolean haveNextNextGaussian;

    private boolean isFree;

    public Random() {
        isFree = true;
    }

    public Random(long seed) {
        this.seed = (seed ^ MULTIPLIER) & MASK;
    }

    public synchronized void setSeed(long seed) {
        this.seed = (seed ^ MULTIPLIER) & MASK;
        isFree = false;
    }

    protected int next(int bits) {
        if (isFree) return Engine.aRandom() >>> (32 - bits);
        seed = (seed * MULTIPLIER + ADDEND) & MASK;
        return (int) (seed >>> (48 - bits));
    }

    public void nextBytes(byte[] bytes) {
        for (int at = 0; at < bytes.length; ) {
            for (int value = nextInt(), left = Math.min(bytes.length - at, 4); left-- > 0; value >>= 8) {
                bytes[at++] = (byte) value;
            }
        }
    }

    public int nextInt() {
        return next(32);
    }

    public int nextInt(int bound) {
        if (bound <= 0) throw new IllegalArgumentException("bound must be positive");
        int bits = next(31);
        int most = bound - 1;
        if ((bound & most) == 0) return (int) ((bound * (long) bits) >> 31);
        int value = bits % bound;
        while (bits - value + most < 0) {
            bits = next(31);
            value = bits % bound;
        }
        return value;
    }

    public long nextLong() {
        return ((long) next(32) << 32) + next(32);
    }

    public boolean nextBoolean() {
        return next(1) != 0;
    }

    public float nextFloat() {
        return next(24) / (float) (1 << 24);
    }

    public double nextDouble() {
        return (((long) next(26) << 27) + next(27)) * 0x1.0p-53;
    }
}
