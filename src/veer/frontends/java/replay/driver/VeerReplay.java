import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs recorded tests, one for each line of standard input, and says how each ended. Each has a class loader of its own, so that it
 * begins with fresh static fields.
 *
 * <pre>
 * in     NAME TAB CLASS TAB METHOD TAB ARGUMENT...        I:2a   J:0   [I#1:3:1,2,3   [I:null   Ljava/lang/String;#2:2:61,62
 *        the arguments of a program: args:given, args:none; what it asks for: ?anInt:2a,0
 * out    begin NAME
 *        exit NAME TAB hits: COUNTERS...                  it called System.exit
 *        end NAME TAB RESULT TAB CLASS THAT WAS THROWN OR - TAB OBJECT NUMBER=VALUES...  TAB hits: COUNTERS...
 * </pre>
 *
 * Numbers are bits in hexadecimal.
 */
public final class VeerReplay {
    /** What rewritten classes count in: a bit for each counter that was hit. */
    public static final long[] HITS = new long[1 << 14];

    /** The test that runs, or null. */
    private static volatile String now;

    private VeerReplay() {}

    /** Called by rewritten classes. */
    public static void hit(int counter) {
        HITS[counter >>> 6] |= 1L << counter;
    }

    /** Called before a jump that compares an int with 0: the counters are those of its tests, first < 0, then == 0, then > 0. */
    public static void compared(int value, int counter) {
        hit(counter + Integer.signum(value) + 1);
    }

    /** Called before a jump that compares two ints. */
    public static void compared(int one, int other, int counter) {
        hit(counter + Integer.compare(one, other) + 1);
    }

    /** Called before a jump that asks whether a reference is null: counter, not null; counter + 1, null. */
    public static void compared(Object value, int counter) {
        hit(counter + (value == null ? 1 : 0));
    }

    /** Called before a jump that compares two references: counter, different; counter + 1, the same. */
    public static void compared(Object one, Object other, int counter) {
        hit(counter + (one == other ? 1 : 0));
    }

    /** Called before a switch: the counter of the case, or that of the default. */
    public static void switched(int value, String cases, int counter) {
        for (int at = 0; at < cases.length(); at += 2) {
            if ((cases.charAt(at) << 16 | cases.charAt(at + 1)) == value) {
                hit(counter + 1 + at / 2);
                return;
            }
        }
        hit(counter);
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        URL[] path = new URL[arguments.length - 1];
        for (int at = 1; at < arguments.length; at++) path[at - 1] = Paths.get(arguments[at]).toUri().toURL();
        long milliseconds = Long.parseLong(arguments[0]);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (now != null) out.println("exit " + now + "\t" + hits());
            out.flush();
        }));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t", -1);
            out.println("begin " + words[0]);
            out.flush();
            Arrays.fill(HITS, 0);
            now = words[0];
            String[] said = new String[1];
            Thread thread = new Thread(null, () -> said[0] = run(words, path), words[0], 1 << 20);
            thread.setDaemon(true);
            thread.start();
            thread.join(milliseconds);
            if (said[0] == null) {
                out.println("hang " + words[0] + "\t" + hits());
                out.flush();
                Runtime.getRuntime().halt(3);
            }
            now = null;
            out.println("end " + words[0] + "\t" + said[0] + "\t" + hits());
            out.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private static String run(String[] words, URL[] path) {
        try (URLClassLoader loader = new URLClassLoader(path, VeerReplay.class.getClassLoader())) {
            loader.setDefaultAssertionStatus(true);
            int count = 0;
            veer.Given.clear();
            for (int at = 3; at < words.length; at++) {
                if (!words[at].startsWith("?")) {
                    count++;
                    continue;
                }
                String[] parts = words[at].substring(1).split(":");
                for (String bits : parts[1].split(",")) veer.Given.add(parts[0], Long.parseUnsignedLong(bits, 16));
            }
            Class<?>[] types = new Class<?>[count];
            Object[] values = new Object[count];
            List<Object> objects = new ArrayList<>();
            for (int at = 0; at < count; at++) {
                types[at] = type(words[3 + at]);
                values[at] = value(words[3 + at], objects);
            }
            Class<?> owner = Class.forName(words[1], false, loader);
            String result = "";
            String thrown = "-";
            try {
                result = called(owner, words[2], types, values);
            } catch (InvocationTargetException error) {
                thrown = error.getCause().getClass().getName();
            }
            StringBuilder all = new StringBuilder(result).append('\t').append(thrown).append('\t');
            for (int number = 0; number < objects.size(); number++) {
                if (objects.get(number) != null) all.append(number).append('=').append(elements(objects.get(number))).append(' ');
            }
            return all.toString();
        } catch (Throwable error) {
            return "\tfailed " + error.toString().replace('\t', ' ').replace('\n', ' ') + "\t";
        }
    }

    /** A static method; NAME/COUNT: one of an object, whose constructor gets the first arguments; or a constructor. */
    private static String called(Class<?> owner, String name, Class<?>[] types, Object[] values) throws ReflectiveOperationException {
        if (name.equals("<init>")) {
            made(owner, types, values);
            return "";
        }
        int slash = name.indexOf('/');
        int own = slash < 0 ? 0 : Integer.parseInt(name.substring(slash + 1));
        Object object = slash < 0 ? null : made(owner, Arrays.copyOf(types, own), Arrays.copyOf(values, own));
        Class<?>[] given = Arrays.copyOfRange(types, own, types.length);
        Method method = owner.getDeclaredMethod(slash < 0 ? name : name.substring(0, slash), given);
        method.setAccessible(true);
        return bits(method.invoke(object, Arrays.copyOfRange(values, own, values.length)), method.getReturnType());
    }

    private static Object made(Class<?> owner, Class<?>[] types, Object[] values) throws ReflectiveOperationException {
        Constructor<?> constructor = owner.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private static Class<?> type(String word) {
        if (word.startsWith("L")) return String.class;
        if (word.startsWith("args")) return String[].class;
        return word.startsWith("[") ? Array.newInstance(primitive(word.charAt(1)), 0).getClass() : primitive(word.charAt(0));
    }

    private static Class<?> primitive(char letter) {
        switch (letter) {
            case 'Z': return boolean.class;
            case 'B': return byte.class;
            case 'C': return char.class;
            case 'S': return short.class;
            case 'I': return int.class;
            case 'J': return long.class;
            case 'F': return float.class;
            default: return double.class;
        }
    }

    private static Object value(String word, List<Object> objects) {
        if (word.startsWith("args")) return word.endsWith("none") ? new String[0] : veer.Given.arguments();
        String[] parts = word.split(":", -1);
        boolean isString = word.startsWith("L");
        if (!word.startsWith("[") && !isString) return number(word.charAt(0), parts[1]);
        if (parts[1].equals("null")) return null;
        int object = Integer.parseInt(parts[0].substring(parts[0].indexOf('#') + 1));
        while (objects.size() <= object) objects.add(null);
        if (objects.get(object) == null) {
            int count = Integer.parseInt(parts[1]);
            if (isString) {
                objects.set(object, string(count, parts[2].split(",")));
                return objects.get(object);
            }
            Object array = Array.newInstance(primitive(word.charAt(1)), count);
            String[] numbers = parts[2].split(",");
            for (int at = 0; at < count; at++) Array.set(array, at, number(word.charAt(1), numbers[at]));
            objects.set(object, array);
        }
        return objects.get(object);
    }

    private static String string(int count, String[] units) {
        char[] all = new char[count];
        for (int at = 0; at < count; at++) all[at] = (char) Integer.parseInt(units[at], 16);
        return new String(all);
    }

    private static Object number(char letter, String text) {
        long bits = Long.parseUnsignedLong(text, 16);
        switch (letter) {
            case 'Z': return (bits & 1) != 0;
            case 'B': return (byte) bits;
            case 'C': return (char) bits;
            case 'S': return (short) bits;
            case 'I': return (int) bits;
            case 'J': return bits;
            case 'F': return Float.intBitsToFloat((int) bits);
            default: return Double.longBitsToDouble(bits);
        }
    }

    private static String bits(Object value, Class<?> type) {
        if (value instanceof Boolean) return ((Boolean) value) ? "1" : "0";
        if (value instanceof Character) return Long.toHexString((Character) value);
        if (value instanceof Float) return Long.toHexString(Float.floatToRawIntBits((Float) value) & 0xffffffffL);
        if (value instanceof Double) return Long.toHexString(Double.doubleToRawLongBits((Double) value));
        return type.isPrimitive() && value instanceof Number ? Long.toHexString(((Number) value).longValue()) : "";
    }

    private static String elements(Object array) {
        StringBuilder all = new StringBuilder();
        if (array instanceof String) array = ((String) array).toCharArray();
        for (int at = 0; at < Array.getLength(array); at++) {
            all.append(at > 0 ? "," : "").append(bits(Array.get(array, at), array.getClass().getComponentType()));
        }
        return all.toString();
    }

    private static String hits() {
        StringBuilder all = new StringBuilder();
        for (int at = 0; at < HITS.length; at++) {
            if (HITS[at] != 0) all.append(at).append('=').append(Long.toHexString(HITS[at])).append(' ');
        }
        return all.toString();
    }
}
