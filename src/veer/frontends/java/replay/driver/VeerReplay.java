import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
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
 * in     NAME TAB CLASS TAB METHOD TAB ARGUMENT...        I:2a   J:0   Lpkg/Node;:&#64;3   [I:null
 *        an array or string of its own: [I#1:3:1,2,3   Ljava/lang/String;#2:2:61,62
 *        objects, behind the arguments: =3|KIND|... (VeerObjects.java)
 *        a call before, on the object or static: !pkg.Type|push|o|I:2a   !pkg.Type|reset|s
 *        no arguments of a program: args:none; what it asks for: ?anInt:2a,0
 * out    begin NAME
 *        exit NAME TAB hits: COUNTERS...                  it called System.exit
 *        end NAME TAB RESULT TAB CLASS THAT WAS THROWN OR - TAB OBJECT NUMBER=VALUES... TAB GRAPH TAB hits: COUNTERS... TAB VARIES
 * </pre>
 *
 * GRAPH is what the call left behind (VeerGraph.java). VARIES is "varies" where a test that is run again (-Dveer.again=TIMES) did
 * something else: its objects had other identity hash codes. Numbers are bits in hexadecimal.
 */
public final class VeerReplay {
    /** What rewritten classes count in: a bit for each counter that was hit. */
    public static final long[] HITS = new long[1 << 14];

    /** A test that waits, and uses no processor time, is given up after so many times its milliseconds. */
    private static final int WAITS = 4;

    /** How long a test that was told to end may take to do so. */
    private static final int ENDING_MILLISECONDS = 1000;

    /** The test that runs, or null. */
    private static volatile String now;

    /** Runs the test. */
    private static Thread thread;

    /** Whether the test has had its time: its next counter throws. */
    private static volatile boolean isOver;

    /** What ends a test that has had its time. */
    private static final class Over extends Error {
        private static final long serialVersionUID = 1;

        Over() {
            super(null, null, false, false);
        }
    }

    private VeerReplay() {}

    /** Called by rewritten classes. */
    public static void hit(int counter) {
        if (isOver) throw new Over();
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
            String said = timed(words, path, milliseconds);
            if (said == null) {
                out.println("hang " + words[0] + "\t" + hits());
                out.flush();
                end();
                continue;
            }
            String hits = hits();
            out.println("end " + words[0] + "\t" + said + "\t" + hits + "\t" + (varies(words, path, milliseconds, said, hits) ? "varies" : ""));
            out.flush();
            end();
        }
        Runtime.getRuntime().halt(0);
    }

    /** What a test did; null where it did not end in time. */
    private static String timed(String[] words, URL[] path, long milliseconds) throws InterruptedException {
        Arrays.fill(HITS, 0);
        now = words[0];
        String[] said = new String[1];
        thread = new Thread(null, () -> said[0] = run(words, path), words[0], 1 << 20);
        thread.setDaemon(true);
        thread.start();
        waitFor(thread, milliseconds);
        return said[0];
    }

    /** Behind a test: one that goes on is ended. */
    private static void end() throws InterruptedException {
        isOver = true;
        thread.join(ENDING_MILLISECONDS);
        if (thread.isAlive()) Runtime.getRuntime().halt(3);
        isOver = false;
        now = null;
    }

    /** Whether a test does something else when it is run again. */
    private static boolean varies(String[] words, URL[] path, long milliseconds, String said, String hits) throws InterruptedException {
        for (int times = Integer.getInteger("veer.again", 0); times > 0; times--) {
            end();
            String again = timed(words, path, milliseconds);
            if (again == null) return false;
            if (!again.equals(said) || !hits().equals(hits)) return true;
        }
        return false;
    }

    /** Until the thread ends, or has had so much processor time: a busy machine makes no test hang. */
    private static void waitFor(Thread thread, long milliseconds) throws InterruptedException {
        thread.join(milliseconds);
        for (long waited = milliseconds; thread.isAlive() && waited < WAITS * milliseconds; waited += milliseconds / 4) {
            long used = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
            if (used >= milliseconds * 1_000_000) return;
            thread.join(milliseconds / 4);
        }
    }

    /** The first file of the path has the classes with counters: a class loader would leave out what it cannot open. */
    private static String run(String[] words, URL[] path) {
        try (URLClassLoader loader = new URLClassLoader(path, VeerReplay.class.getClassLoader());
                InputStream counted = path[0].openStream()) {
            loader.setDefaultAssertionStatus(true);
            int count = 0;
            List<String[]> before = new ArrayList<>();
            veer.Given.clear();
            VeerObjects objects = new VeerObjects(loader);
            for (int at = 3; at < words.length; at++) {
                if (words[at].startsWith("=")) {
                    objects.define(words[at].substring(1));
                    continue;
                }
                if (words[at].startsWith("!")) {
                    before.add(words[at].substring(1).split("\\|"));
                    continue;
                }
                if (!words[at].startsWith("?")) {
                    count++;
                    continue;
                }
                String[] parts = words[at].substring(1).split(":");
                for (String bits : parts[1].split(",")) veer.Given.add(parts[0], Long.parseUnsignedLong(bits, 16));
            }
            System.setIn(veer.Given.standardInput());
            Class<?>[] types = new Class<?>[count];
            Object[] values = new Object[count];
            for (int at = 0; at < count; at++) {
                types[at] = type(words[3 + at], objects);
                values[at] = value(words[3 + at], objects);
            }
            Class<?> owner = Class.forName(words[1], false, loader);
            Object[] left = new Object[2];
            String result = "";
            String thrown = "-";
            try {
                result = called(owner, words[2], types, values, left, object -> callAll(before, object, objects));
            } catch (InvocationTargetException error) {
                thrown = words(error.getCause());
            } catch (ExceptionInInitializerError error) {
                thrown = words(error);
            }
            StringBuilder all = new StringBuilder(result).append('\t').append(thrown).append('\t');
            objects.made().forEach((number, object) -> {
                if (isFlat(object)) all.append(number).append('=').append(elements(object)).append(' ');
            });
            String graph = new VeerGraph(loader, objects.made()).text(left[0], left[1], objects.made());
            return all.append('\t').append(graph).toString();
        } catch (Throwable error) {
            Throwable cause = error instanceof InvocationTargetException ? error.getCause() : error;
            return "\tfailed " + cause.toString().replace('\t', ' ').replace('\n', ' ') + "\t\t";
        }
    }

    /** The class of what was thrown; behind that of a class that could not be initialised, that of the cause. */
    private static String words(Throwable thrown) {
        boolean hasCause = thrown instanceof ExceptionInInitializerError && thrown.getCause() != null;
        return thrown.getClass().getName() + (hasCause ? " " + thrown.getCause().getClass().getName() : "");
    }

    /**
     * A static method; NAME/COUNT: one of an object, whose constructor gets the first arguments; NAME/COUNT/BY: whose
     * static method BY gets them; NAME/@: the first argument is the object; or a constructor. What it returns, and the
     * object, are left behind. `before`: what is done with the object before the call.
     */
    private static String called(Class<?> owner, String name, Class<?>[] types, Object[] values, Object[] left, Before before)
            throws ReflectiveOperationException {
        if (name.equals("<init>")) {
            before.with(null);
            left[1] = VeerObjects.made(owner, "", types, values);
            return "";
        }
        String[] how = name.split("/");
        boolean isGiven = name.endsWith("/@");
        int own = how.length < 2 ? 0 : isGiven ? 1 : Integer.parseInt(how[1]);
        String by = how.length > 2 ? how[2] : "";
        Object object = how.length < 2 ? null : isGiven ? values[0] : VeerObjects.made(owner, by, Arrays.copyOf(types, own), Arrays.copyOf(values, own));
        Class<?>[] given = Arrays.copyOfRange(types, own, types.length);
        Method method = owner.getDeclaredMethod(how[0], given);
        method.setAccessible(true);
        left[1] = object;
        before.with(object);
        Object result = method.invoke(object, Arrays.copyOfRange(values, own, values.length));
        if (!method.getReturnType().isPrimitive()) {
            left[0] = result;
            return "";
        }
        return result == null ? "" : bits(result);
    }

    /** What is done with an object, or null, before the call. */
    private interface Before {
        void with(Object object) throws ReflectiveOperationException;
    }

    private static void callAll(List<String[]> calls, Object object, VeerObjects objects) throws ReflectiveOperationException {
        for (String[] each : calls) {
            Class<?>[] types = new Class<?>[each.length - 3];
            Object[] values = new Object[types.length];
            for (int at = 0; at < types.length; at++) {
                types[at] = type(each[3 + at], objects);
                values[at] = value(each[3 + at], objects);
            }
            Method method = objects.type("L" + each[0].replace('.', '/') + ";").getDeclaredMethod(each[1], types);
            method.setAccessible(true);
            try {
                method.invoke(each[2].equals("o") ? object : null, values);
            } catch (InvocationTargetException error) {
                throw new IllegalStateException("the call of " + each[1] + " before throws " + error.getCause());
            }
        }
    }

    private static Class<?> type(String word, VeerObjects objects) throws ClassNotFoundException {
        if (word.startsWith("args")) return String[].class;
        int end = word.indexOf(':');
        int mark = word.indexOf('#');
        return objects.type(word.substring(0, mark >= 0 && mark < end ? mark : end));
    }

    private static Object value(String word, VeerObjects objects) throws ReflectiveOperationException {
        if (word.startsWith("args")) return new String[0];
        String[] parts = word.split(":", -1);
        int mark = parts[0].indexOf('#');
        if (mark >= 0) {
            String type = parts[0].substring(0, mark);
            String number = parts[0].substring(mark + 1);
            boolean isString = type.startsWith("L");
            if (!objects.knows(number)) {
                String elements = isString || parts[2].isEmpty() ? parts[2] : type.charAt(1) + ":" + parts[2].replace(",", "," + type.charAt(1) + ":");
                objects.define(number + (isString ? "|T|" : "|A|" + type + "|") + elements);
            }
            return objects.value("@" + number);
        }
        boolean isReference = word.startsWith("L") || word.startsWith("[");
        return objects.value(isReference ? parts[1] : word);
    }

    /** Whether it is an array of numbers, or a string. */
    private static boolean isFlat(Object object) {
        return object instanceof String || (object.getClass().isArray() && object.getClass().getComponentType().isPrimitive());
    }

    /** The letter of a box; 0 for what is none. */
    static char letter(Class<?> owner) {
        if (owner == Boolean.class) return 'Z';
        if (owner == Byte.class) return 'B';
        if (owner == Character.class) return 'C';
        if (owner == Short.class) return 'S';
        if (owner == Integer.class) return 'I';
        if (owner == Long.class) return 'J';
        if (owner == Float.class) return 'F';
        return owner == Double.class ? 'D' : 0;
    }

    static String bits(Object value) {
        if (value instanceof Boolean) return ((Boolean) value) ? "1" : "0";
        if (value instanceof Character) return Long.toHexString((Character) value);
        if (value instanceof Float) return Long.toHexString(Float.floatToRawIntBits((Float) value) & 0xffffffffL);
        if (value instanceof Double) return Long.toHexString(Double.doubleToRawLongBits((Double) value));
        return Long.toHexString(((Number) value).longValue());
    }

    private static String elements(Object array) {
        StringBuilder all = new StringBuilder();
        if (array instanceof String) array = ((String) array).toCharArray();
        for (int at = 0; at < Array.getLength(array); at++) {
            all.append(at > 0 ? "," : "").append(bits(Array.get(array, at)));
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
