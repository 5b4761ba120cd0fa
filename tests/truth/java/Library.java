import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** The runtime's collections, boxes, lambdas, records and texts. */
public class Library {
    record Point(int x, long y, String name, double w) {}

    record Empty() {}

    enum Color {
        RED, GREEN, BLUE;

        Color next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    interface Shape {
        default int sides() {
            return 4;
        }

        int area(int scale);
    }

    interface Named extends Shape {
        default int sides() {
            return 5;
        }
    }

    static class Square implements Shape, Named {
        private final int side;

        Square(int side) {
            this.side = side;
        }

        public int area(int scale) {
            return side * side * scale;
        }

        private int hidden() {
            return 1;
        }

        int ask(Square other) {
            return other.hidden() + hidden();
        }
    }

    static class Cube extends Square {
        Cube(int side) {
            super(side);
        }

        private int hidden() {
            return 7;
        }

        @Override
        public int area(int scale) {
            return 6 * super.area(scale);
        }
    }

    static class Closing implements AutoCloseable {
        private final int how;

        Closing(int how) {
            this.how = how;
        }

        @Override
        public void close() {
            if (how > 0) throw new IllegalStateException("close " + how);
        }
    }

    private static int sum(Iterable<Integer> all) {
        int sum = 17;
        for (int each : all) sum = sum * 31 + each;
        return sum;
    }

    static int lists(int a, int b, int[] c) {
        List<Integer> list = new ArrayList<>();
        list.add(a);
        list.add(b);
        if (c != null) for (int each : c) list.add(each & 15);
        list.remove(Integer.valueOf(b));
        list.add(0, 9);
        list.set(1, list.get(0) + 1);
        Collections.sort(list);
        Collections.reverse(list);
        return sum(list) + list.indexOf(9) + (list.contains(a) ? 1 : 0);
    }

    static int linked(int a, int[] c) {
        LinkedList<Integer> list = new LinkedList<>();
        list.addFirst(a);
        if (c != null) for (int each : c) list.addLast(each % 5);
        list.removeLast();
        Iterator<Integer> at = list.iterator();
        while (at.hasNext()) if (at.next() == 2) at.remove();
        return sum(list) + list.size();
    }

    static int deques(int a, int[] c) {
        Deque<Integer> deque = new ArrayDeque<>();
        for (int each : c) {
            if ((each & 1) == 0) deque.push(each);
            else deque.offerLast(each + a);
        }
        return sum(deque) + deque.pop();
    }

    static int queues(int[] c) {
        PriorityQueue<Integer> queue = new PriorityQueue<>(Comparator.reverseOrder());
        for (int each : c) queue.add(each);
        int sum = 0;
        while (!queue.isEmpty()) sum = sum * 7 + queue.poll();
        return sum;
    }

    static int hashes(int a, int[] c, String s) {
        Map<Integer, String> map = new HashMap<>();
        map.put(a, s);
        if (c != null) for (int each : c) map.merge(each & 7, "x", (one, other) -> one + other);
        int sum = 0;
        for (Map.Entry<Integer, String> each : map.entrySet()) sum = sum * 31 + each.getKey() + (each.getValue() == null ? 5 : each.getValue().length());
        return sum + map.getOrDefault(3, "none").length() + (map.containsValue("xx") ? 100 : 0);
    }

    static int words(String s, String t) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (char each : (s + t).toCharArray()) counts.put("" + each, counts.getOrDefault("" + each, 0) + 1);
        Set<String> set = new HashSet<>(counts.keySet());
        set.add("zz");
        set.remove("a");
        int sum = 0;
        for (String each : counts.keySet()) sum = sum * 13 + each.charAt(0) * counts.get(each);
        for (String each : set) sum = sum * 17 + each.hashCode();
        return sum;
    }

    static int trees(int a, int[] c) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (int each : c) map.put(each, each + a);
        map.remove(a);
        Integer floor = map.floorKey(a);
        int sum = floor == null ? -1 : floor;
        for (int each : map.headMap(50).values()) sum = sum * 31 + each;
        return sum + map.firstKey() + map.descendingMap().size();
    }

    static int sets(int[] c, int[] d) {
        Set<Integer> one = new TreeSet<>(), other = new LinkedHashSet<>();
        for (int each : c) one.add(each % 4);
        for (int each : d) other.add(each % 4);
        one.retainAll(other);
        other.addAll(one);
        return sum(one) + 3 * sum(other) + one.hashCode();
    }

    static int maybe(int a, String s) {
        Optional<String> found = Optional.ofNullable(s).filter(each -> each.length() > 1).map(each -> each + a);
        return found.map(String::length).orElse(-1) + (found.isPresent() ? found.get().charAt(0) : 3);
    }

    static int boxes(int a, long b, char c) {
        Integer one = a, other = a + 0;
        Long big = b, same = b;
        Character letter = c, again = c;
        Boolean yes = a > 0, no = !(a <= 0);
        return (one == other ? 1 : 0) + (one.equals(other) ? 2 : 0) + (big == same ? 4 : 0) + (letter == again ? 8 : 0) + (yes == no ? 16 : 0)
            + one.compareTo(7) + big.hashCode() + (one.hashCode() ^ letter.hashCode()) + Integer.compare(a, 3);
    }

    static int numbers(String s) {
        try {
            return Integer.parseInt(s) + Integer.valueOf(s);
        } catch (NumberFormatException e) {
            return s == null ? -1 : e.getMessage().length();
        }
    }

    static String never;

    static int texts(int a, long b, String s, boolean c, char d) {
        String text = a + ":" + b + s + c + d + (Object) null + Integer.valueOf(a) + never;
        return text.hashCode() + text.length() + String.valueOf(b).length() + Integer.toHexString(a).hashCode() + Long.toString(b).hashCode();
    }

    static int formats(int a, String s, char c) {
        String text = String.format("%d|%5d|%-4s|%c|%05d|%x|%b%n", a, a, s, c, a, a, s == null);
        return text.hashCode();
    }

    static int cases(String s) {
        String lower = s.toLowerCase(), upper = s.toUpperCase();
        return lower.hashCode() * 31 + upper.hashCode() + s.trim().length() + s.replace('a', 'q').hashCode() + s.repeat(2).indexOf("b");
    }

    static int parts(String s) {
        int sum = 7;
        for (String each : s.split("a")) sum = sum * 31 + each.hashCode();
        sum += s.split(" ").length * 3 + s.split("\\.").length + "a.b..".split("\\.").length;
        StringBuilder builder = new StringBuilder(s).reverse().insert(0, 'x').append(1.5f > 1).deleteCharAt(0);
        return sum + builder.toString().hashCode() + String.join("-", s, "q", s).hashCode() + new StringJoiner(",", "[", "]").add(s).add("b").toString().hashCode();
    }

    static int joiners(String s, int n) {
        StringJoiner all = new StringJoiner(n > 0 ? ", " : "", "{", "}").setEmptyValue("none");
        StringJoiner more = new StringJoiner("-");
        int sum = all.length();
        if ((n & 1) == 0) all.add(s).add(null).add("c");
        if ((n & 2) == 0) more.add("d").add(s);
        String one = all.toString();
        return sum + 3 * all.merge(more).length() + one.hashCode() + all.toString().hashCode() + Stream.of("x", "y").collect(Collectors.joining("/", "<", ">")).hashCode();
    }

    static int switched(String s) {
        switch (s) {
            case "a":
                return 1;
            case "ab":
            case "ba":
                return 2;
            case "Aa":
                return 3;
            case "BB":
                return 4;
            default:
                return s.isEmpty() ? 5 : 6;
        }
    }

    static int records(int x, long y, String name, double w) {
        Point one = new Point(x, y, name, w), other = new Point(x + 1, y, name, w), same = new Point(x, y, name, w);
        return one.hashCode() + (one.equals(other) ? 1 : 0) + (one.equals(same) ? 2 : 0) + (one.equals(null) ? 4 : 0) + new Empty().hashCode() + new Empty().toString().length();
    }

    static int named(int x, String name) {
        record Pair(int left, String right) {}
        return new Pair(x, name).toString().hashCode();
    }

    static int enums(int a, String s) {
        Color color = Color.values()[(a & 0x7fffffff) % 3];
        switch (color) {
            case RED:
                return color.next().name().length();
            case GREEN:
                return color.compareTo(Color.BLUE) + color.toString().hashCode();
            default:
                return Color.valueOf(s == null || s.isEmpty() ? "RED" : s).ordinal();
        }
    }

    static int enumMaps(int a) {
        EnumMap<Color, Integer> map = new EnumMap<>(Color.class);
        map.put(Color.BLUE, a);
        map.put(Color.RED, 2);
        int sum = EnumSet.of(Color.GREEN, Color.BLUE).size();
        for (Map.Entry<Color, Integer> each : map.entrySet()) sum = sum * 31 + each.getKey().ordinal() + each.getValue();
        return sum;
    }

    static int lambdas(int a, int b) {
        IntBinaryOperator add = (x, y) -> x + y + a;
        Function<Integer, Integer> twice = x -> x * 2;
        Supplier<List<Integer>> make = ArrayList::new;
        BiFunction<Integer, Integer, Integer> most = Math::max;
        UnaryOperator<String> up = String::trim;
        Predicate<Integer> isSmall = x -> x < b;
        List<Integer> list = make.get();
        list.add(add.applyAsInt(a, b));
        list.add(twice.andThen(x -> x + 1).compose((Integer x) -> x - 1).apply(b));
        list.add(most.apply(a, b));
        list.removeIf(isSmall.negate().and(x -> x > 1000));
        list.sort(Comparator.comparing((Integer x) -> x % 10).thenComparing(Comparator.naturalOrder()));
        list.forEach(x -> counter += x);
        return sum(list) + up.apply(" ab ").length();
    }

    private static int counter;

    static int shapes(int a) {
        Shape shape = a > 0 ? new Cube(a) : a == 0 ? scale -> scale : new Square(a);
        int sum = shape.area(2) + shape.sides();
        return shape instanceof Square square ? sum + square.ask(new Cube(1)) : sum;
    }

    static int messages(int a, int[] c) {
        try {
            return c[a] / a;
        } catch (ArrayIndexOutOfBoundsException | ArithmeticException e) {
            return e.getMessage().hashCode() + e.toString().length();
        } catch (RuntimeException e) {
            return e instanceof NullPointerException ? -2 : -3;
        } finally {
            counter++;
        }
    }

    static int closings(int a, int b) {
        try (Closing one = new Closing(a); Closing other = new Closing(b)) {
            if (a > b) throw new IllegalArgumentException("body", new Exception("inner"));
            return 1;
        } catch (IllegalArgumentException e) {
            return e.getSuppressed().length + e.getCause().getMessage().length();
        } catch (IllegalStateException e) {
            return e.getMessage().hashCode();
        }
    }

    static int copies(int[] c, int a) {
        Integer[] boxes = new Integer[3];
        Arrays.fill(boxes, a);
        Object[] objects = Arrays.copyOf(boxes, 4, Object[].class);
        List<Integer> list = new ArrayList<>(Arrays.asList(boxes));
        Integer[] back = list.toArray(new Integer[0]);
        int[][] grid = {{1, a}, c};
        int[][] copy = grid.clone();
        copy[0][0] = 5;
        try {
            System.arraycopy(new Object[] {"s"}, 0, boxes, 0, 1);
        } catch (ArrayStoreException e) {
            counter = 3;
        }
        return grid[0][0] + objects.length + back.length + Arrays.hashCode(back) + Arrays.toString(c).hashCode() + (Arrays.equals(c, new int[] {1}) ? 1 : 0);
    }

    static int lengths(int[] c, long[] d, String s) {
        int sum = java.lang.reflect.Array.getLength(c) * 10 + java.lang.reflect.Array.getLength(new String[2]);
        try {
            return sum + java.lang.reflect.Array.getLength(s == null ? d : s);
        } catch (IllegalArgumentException e) {
            return sum + e.getMessage().length();
        }
    }

    static int classes(int a) {
        Object one = a > 0 ? new Cube(1) : "text", other = new Cube(2);
        return (one.getClass() == other.getClass() ? 1 : 0) + one.getClass().getName().length() + (one.getClass().equals(String.class) ? 10 : 0) + (Shape.class.isInstance(one) ? 20 : 0);
    }

    static int constants(int a) {
        List<Integer> list = List.of(a, 2, 3);
        int sum = sum(list) + List.of().size() + Collections.emptyList().size() + Collections.singletonList(a).get(0);
        try {
            list.add(1);
        } catch (UnsupportedOperationException e) {
            sum++;
        }
        return sum;
    }

    static int concurrent(int a, int[] c) {
        List<Integer> list = new ArrayList<>();
        for (int each : c) list.add(each);
        for (Integer each : list) if (each == a) list.remove(each);
        return list.size();
    }

    static int outside(int a) {
        return new ArrayList<>(Arrays.asList(1, 2)).get(a) + "abc".substring(a).length();
    }

    static int reals(double d, float f, int a) {
        String text = d + "|" + f;
        return text.hashCode() + (Double.toString(a / 8.0) + new Random(a).nextInt(100)).hashCode() + Double.compare(d, f) + Double.hashCode(d);
    }

    static int bits(int a, long b) {
        BitSet set = new BitSet();
        set.set(a & 63);
        set.set((int) b & 127);
        return set.cardinality() + set.nextSetBit(3) + Integer.bitCount(a) + Long.numberOfLeadingZeros(b) + Integer.reverse(a) + Integer.highestOneBit(a);
    }

    static class Alone extends RuntimeException {
        Alone(boolean takesOthers) {
            super("alone", null, takesOthers, false);
        }
    }

    static int alone(int a, boolean b) {
        try (AutoCloseable closed = () -> { throw new IllegalStateException("closed"); }) {
            throw new Alone(b);
        } catch (Alone e) {
            try {
                e.initCause(a > 0 ? null : new RuntimeException("late"));
                return 0;
            } catch (IllegalStateException late) {
                return e.getSuppressed().length + 2 * late.getMessage().length() + (late.getCause() == e ? 1 << 20 : 0);
            }
        } catch (Exception e) {
            return -1;
        }
    }
}
