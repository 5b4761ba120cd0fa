/** What kind of triangle has these sides? And a search with a fault. */
public class Triangle {
    static int classify(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) throw new IllegalArgumentException("a side has no length");
        if (a + b <= c || a + c <= b || b + c <= a) return 0;
        if (a == b && b == c) return 3;
        return a == b || b == c || a == c ? 2 : 1;
    }

    /** The place of the first side that is longer than the others together, or -1. */
    static int longest(int[] sides) {
        for (int i = 0; i < sides.length; i++) {
            int rest = 0;
            for (int k = 0; k <= sides.length; k++) {
                if (k != i) rest += sides[k];
            }
            if (sides[i] > rest) return i;
        }
        return -1;
    }
}
