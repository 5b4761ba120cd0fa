/** A method for each kind of instruction: what each computes is compared with the JVM. */
public class Opcodes {
    static int count = 7;
    static final long START = 1L << 40;
    int field;
    short narrow;
    boolean flag;

    static int iadd(int a, int b) { return a + b; }
    static int imul(int a, int b) { return a * b - b; }
    static int idiv(int a, int b) { return a / b; }
    static int irem(int a, int b) { return a % b; }
    static int shifts(int a, int b) { return (a << b) ^ (a >> b) ^ (a >>> b); }
    static int bits(int a, int b) { return (a & b) | (~a ^ b); }
    static long ladd(long a, long b) { return a + b * a - b; }
    static long ldiv(long a, long b) { return a / b; }
    static long lrem(long a, long b) { return a % b; }
    static long lshifts(long a, int b) { return (a << b) ^ (a >> b) ^ (a >>> b); }
    static int lcmp(long a, long b) { return a < b ? 1 : a == b ? 2 : 3; }
    static float fmath(float a, float b) { return a + b * a / b - a; }
    static double dmath(double a, double b) { return a + b * a / b - a; }
    static float frem(float a, float b) { return a % b; }
    static double drem(double a, double b) { return a % b; }
    static int fcmp(float a, float b) { return (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0); }
    static int dcmp(double a, double b) { return (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a != b ? 16 : 0); }
    static boolean fless(float a, float b) { boolean less = !(a >= b); return less; }
    static int f2i(float a) { return (int) a; }
    static long f2l(float a) { return (long) a; }
    static int d2i(double a) { return (int) a; }
    static long d2l(double a) { return (long) a; }
    static float casts(long a) { return (float) a + (int) a; }
    static double widened(int a, float b) { return a + (double) b; }
    static byte i2b(int a) { return (byte) a; }
    static char i2c(int a) { return (char) a; }
    static short i2s(int a) { return (short) a; }
    static int narrow(byte a, short b, char c, boolean d) { return a + b * c - (d ? 1 : 0); }
    static int negated(int a, long b) { return -a + (int) -b; }
    static int bounds(int a, int[] xs) { return xs[a & 3] + xs.length; }
    static int stores(byte[] xs, int a) { xs[0] = (byte) a; xs[1] += a; return xs[0]; }
    static int sizes(int a) { return new long[a % 5].length; }
    static int pairs(int a, int b) { int[][] xs = new int[a & 3][b & 3]; xs[1][1] = a; return xs[1][1] + xs.length; }
    static int dense(int a) { switch (a & 7) { case 0: return 5; case 1: case 2: return 6; case 4: return 7; default: return 8; } }
    static int sparse(int a) { switch (a) { case -2147483648: return 1; case 0: return 2; case 1000: return 3; default: return 4; } }
    static int loop(int a) { int s = 0; for (int i = 0; i < (a & 31); i++) { if (i % 3 == 0) continue; s += i; } return s; }
    static int nested(int a, int b) { try { return inner(a, b); } catch (ArithmeticException e) { return -1; } finally { count = 7; } }
    static int inner(int a, int b) { try { count++; return 100 / a + new int[3][2][b & 3].length; } finally { count += 2; } }
    static int rethrown(int a) { try { if (a > 0) throw new IllegalStateException("a"); return a; } catch (RuntimeException e) { throw new IllegalArgumentException("y", e); } }
    static int thrown(int a) { if (a < 0) throw new UnsupportedOperationException(); if (a == 0) throw new Own(a); return a; }
    static int caught(int a) { try { return thrown(a); } catch (Own e) { return e.number - 1; } catch (UnsupportedOperationException e) { return -2; } }
    static int objects(int a, int b) { Opcodes o = new Opcodes(); o.field = a; o.narrow = (short) b; o.flag = a > b; o.field += o.narrow; return o.field + (o.flag ? 1 : 0); }
    static int shapes(int a, int b) { Shape s = a % 3 == 0 ? new Square(b) : a % 3 == 1 ? new Line() : null; return s.area() + s.twice(); }
    static int tested(int a) { Object o = a % 2 == 0 ? (Object) new Square(a) : new int[] {a}; if (o instanceof Square) return ((Square) o).side; return ((int[]) o)[0] + (o instanceof Shape ? 1 : 0); }
    static int wrong(int a) { Object o = a % 2 == 0 ? (Object) new Square(a) : new Line(); return ((Square) o).side; }
    static int stored(int a) { Object[] xs = new Shape[2]; xs[0] = a % 2 == 0 ? (Object) new Line() : new Opcodes(); return xs.length; }
    static long statics(int a) { count = 7; count += a; long r = count + START + Later.value; count = 7; return r; }
    static int swapped(int a, int b) { int[] xs = {a, b}; int i = 0; xs[i++] += xs[i]++; return xs[0] * 31 + xs[1] + i; }
    static long dups(long a, int b) { long[] xs = {a, b}; long r = xs[b & 1]++ + (xs[0] *= 3); return r + xs[1]; }
    static int asserted(int a) { assert a % 7 != 0 : "a"; return a; }
    static int library(int a, int b) { return Math.max(a, b) + Math.abs(a) + Integer.compare(a, b) + Integer.bitCount(b) + Math.floorMod(a, 7); }
    static double roots(double a) { return Math.sqrt(Math.abs(a)) + Math.floor(a) + Math.ceil(a); }
    static int bytes(int a) { byte[] xs = {1, -2, 3, -128, 127, 6, 0, 8, 9, 10, -1}; return xs[a & 15] + xs.length; }
    static int flags(int a) { boolean[] xs = {true, false, true, true, false, false, false, true}; return xs[a & 7] ? a : -1; }
    static int letters(int a) { char[] xs = {'a', '\uffff', 0, 5, 32767, 32768, 'b', 'c'}; short[] ys = {1, -1, 32767, -32768, 4, 5, 6, 7}; return xs[a & 7] * 3 + ys[a >> 3 & 7]; }
    static long wide(int a) { long[] xs = {0, 1, -1, 1L << 40, Long.MIN_VALUE, 5, 6, 7}; int[] ys = {-1, 5, 6, 70000, -70000, Integer.MIN_VALUE, 100, -129}; return xs[a & 7] + ys[a >> 3 & 7]; }
    static double real(int a) { float[] xs = {0, 1, 2, -0f, 1.5f, Float.NaN, 1e30f, 3}; double[] ys = {0, 1, -0d, 1e300, -2.5, 6, 7, 8}; return xs[a & 7] / ys[a >> 3 & 7]; }
    static int partly(int a, int b) { int[] xs = {1, 2, 3, 4, 5, 6, 7, 8, 9, a, 11, b > 3 ? 12 : 100 / b, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}; xs[0] += b; return xs[a & 31] + (b > 2 ? new int[] {1, 2, 3, 4, 5, 6, 7, 8} : new int[] {9, 8, 7, 6, 5, 4, 3, 2, 1})[b & 7]; }
    static int exact(int a, int b) { return Math.addExact(a, b); }

    interface Shape { int area(); default int twice() { return 2 * area(); } }
    static class Line implements Shape { public int area() { return 0; } }
    static class Square extends Line { final int side; Square(int side) { this.side = side; } public int area() { return side * side; } public int twice() { return super.twice() + 1; } }
    static class Own extends RuntimeException { final int number; Own(int number) { super("own"); this.number = number; } }
    static class Later { static int value = first(); static int first() { return 42; } }
}
