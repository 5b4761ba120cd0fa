import java.util.Arrays;

/** Strings, builders, characters and copies of arrays as the runtime has them: each method is lowered and compared with the JVM. */
public class Strings {
    static int length(String s) { return s.length(); }

    static char at(String s, int i) { return s.charAt(i & 3); }

    static boolean equal(String a, String b) { return a.equals(b); }

    static boolean identical(String a, String b) { return a == b || "ab" == a; }

    static int compared(String a, String b) { return a.compareTo(b); }

    static int hashed(String s) { return s.hashCode() + s.hashCode(); }

    static boolean starts(String a, String b) { return a.startsWith(b) || a.endsWith("b") || a.startsWith("a", 1); }

    static int found(String s, char c) { return 10 * s.indexOf(c) + s.lastIndexOf(c); }

    static int foundString(String a, String b) { return a.indexOf(b) + (a.contains("ab") ? 100 : 0); }

    static int part(String s, int i, int k) { return s.substring(i & 7, k & 7).hashCode(); }

    static int trimmed(String s) { return s.trim().length() + (s.isEmpty() ? 50 : 0) + (s.isBlank() ? 100 : 0); }

    static int replaced(String s) { return s.replace('a', 'c').hashCode(); }

    static int characters(String s) { return Arrays.hashCode(s.toCharArray()); }

    static int of(char[] a) { return new String(a).hashCode(); }

    static int ofPart(char[] a, int i, int k) { return new String(a, i & 3, k & 3).hashCode(); }

    static int joined(String a, String b) { return a.concat(b).hashCode(); }

    static int points(int n, int k) {
        int point = k % 3 == 0 ? n : k % 3 == 1 ? n & 0x1fffff : n & 0x1ffff;
        try {
            return new String(Character.toChars(point)).hashCode();
        } catch (IllegalArgumentException e) {
            return e.getMessage().hashCode();
        }
    }

    static int built(String s, int n, long m, boolean b, char c) {
        StringBuilder all = new StringBuilder();
        all.append(s).append(n).append(m).append(b).append(c);
        return all.toString().hashCode() + all.length();
    }

    static int reversed(String s, char c) { return new StringBuilder(s).append(c).reverse().toString().hashCode(); }

    static int inserted(String s, char c, int i) {
        StringBuilder all = new StringBuilder(s);
        all.insert(i & 3, c);
        all.setCharAt(0, 'z');
        all.deleteCharAt(i & 1);
        return all.toString().hashCode();
    }

    static int switched(String s) {
        switch (s) {
            case "": return 1;
            case "ab": return 2;
            case "ba": return 3;
            default: return 4;
        }
    }

    static int kinds(char c) {
        int small = c & 255;
        return (Character.isDigit((char) small) ? 1 : 0) + (Character.isLetter((char) small) ? 2 : 0)
            + (Character.isWhitespace((char) small) ? 4 : 0) + (Character.isUpperCase((char) small) ? 8 : 0)
            + 16 * Character.toLowerCase((char) small) + Character.digit((char) small, 16);
    }

    static int parsed(String s) { return Integer.parseInt(s); }

    static int parsedOr(String s, int other) {
        try {
            return Integer.parseInt(s, 16);
        } catch (NumberFormatException error) {
            return other;
        }
    }

    static int shown(int n, long m) { return Integer.toString(n).hashCode() + String.valueOf(m).hashCode() + Long.toHexString(m).hashCode(); }

    static int copied(int[] a, int n) { return Arrays.hashCode(Arrays.copyOf(a, n & 7)); }

    static int ranged(byte[] a, int i, int k) { return Arrays.hashCode(Arrays.copyOfRange(a, i & 3, k & 7)); }

    static void moved(int[] a, int i, int k, int n) { System.arraycopy(a, i & 7, a, k & 3, n & 7); }

    static void moves(long[] a, long[] b, int i, int k, int n) { System.arraycopy(a, i & 1, b, k & 1, n % 5); }

    static int cloned(double[] a) {
        double[] b = a.clone();
        if (b.length > 1) b[0] = 1.5;
        return Arrays.equals(a, b) ? b.length : -1;
    }

    static boolean equalArrays(char[] a, char[] b) { return Arrays.equals(a, b); }

    static boolean equalFloats(float[] a, float[] b) { return Arrays.equals(a, b); }

    static void filled(short[] a, short x) { Arrays.fill(a, x); }

    static int clonedObjects(String a, String b) {
        String[] all = {a, b};
        String[] other = all.clone();
        System.arraycopy(other, 0, all, 1, 1);
        return (all[1] == a ? 1 : 0) + (other[1] == b ? 2 : 0);
    }
}
