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
        haveNextNextGaussian = false;
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

    public int nextInt(int origin, int bound) {
        if (origin >= bound) throw new IllegalArgumentException("bound must be greater than origin");
        int value = nextInt();
        int count = bound - origin, most = count - 1;
        if ((count & most) == 0) return (value & most) + origin;
        if (count > 0) {
            for (int bits = value >>> 1; bits + most - (value = bits % count) < 0; bits = nextInt() >>> 1) {}
            return value + origin;
        }
        while (value < origin || value >= bound) value = nextInt();
        return value;
    }

    public double nextGaussian() {
        if (haveNextNextGaussian) {
            haveNextNextGaussian = false;
            return nextNextGaussian;
        }
        double one, other, sum;
        do {
            one = 2 * nextDouble() - 1;
            other = 2 * nextDouble() - 1;
            sum = one * one + other * other;
        } while (sum >= 1 || sum == 0);
        double factor = StrictMath.sqrt(-2 * StrictMath.log(sum) / sum);
        nextNextGaussian = other * factor;
        haveNextNextGaussian = true;
        return one * factor;
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
