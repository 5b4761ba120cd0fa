import java.util.HashMap;
import java.util.TreeMap;

final class Structures {
    private Structures() {}

    static int sort(int a, int b, int c, int d, int e, int f, int g, int h) {
        int[] all = {a, b, c, d, e, f, g, h};
        for (int i = 1; i < all.length; i++) {
            int moved = all[i];
            int at = i;
            while (at > 0 && all[at - 1] > moved) {
                all[at] = all[at - 1];
                at--;
            }
            all[at] = moved;
        }
        return all[0];
    }

    static int treeOfSix(int a, int b, int c, int d, int e, int f) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        map.put(a, 1);
        map.put(b, 2);
        map.put(c, 3);
        map.put(d, 4);
        map.put(e, 5);
        map.put(f, 6);
        return map.size();
    }

    static int treeOfSeven(int a, int b, int c, int d, int e, int f, int g) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        map.put(a, 1);
        map.put(b, 2);
        map.put(c, 3);
        map.put(d, 4);
        map.put(e, 5);
        map.put(f, 6);
        map.put(g, 7);
        return map.size();
    }

    static Integer hash(int a, int b, int c, int d, int key) {
        HashMap<Integer, Integer> map = new HashMap<>();
        map.put(a, 1);
        map.put(b, 2);
        map.put(c, 3);
        map.put(d, 4);
        return map.get(key);
    }

    static int word(String text) {
        switch (text) {
            case "one":
                return 1;
            case "two":
                return 2;
            case "three":
                return 3;
            case "four":
                return 4;
            case "five":
                return 5;
            case "six":
                return 6;
            default:
                return 0;
        }
    }
}
