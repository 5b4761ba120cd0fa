import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a call left behind, as text: the same as veer's runs say (runtime/tracer/graphs.c), lines joined by bars.
 *
 * <pre>
 * R #1|T @1|@1 F pkg.Node pkg.Node#value=I7 pkg.Node#next=#1|#1 A [I I1 I2
 * </pre>
 */
final class VeerGraph {
    private static final int MOST = 500;
    private static final Set<String> TOLD = new HashSet<>(Arrays.asList(
            "HashMap", "HashMap$Node", "HashSet", "LinkedHashMap", "LinkedHashMap$Entry", "LinkedHashSet", "TreeMap", "TreeMap$Entry",
            "TreeSet", "LinkedList", "LinkedList$Node", "ArrayDeque", "PriorityQueue", "Optional", "OptionalInt", "OptionalLong",
            "OptionalDouble"));
    private static final Set<String> LEFT_OUT =
            new HashSet<>(Arrays.asList("keySet", "values", "entrySet", "navigableKeySet", "descendingMap"));

    private final ClassLoader loader;
    private final Map<Object, Integer> inputs = new IdentityHashMap<>();
    private final Map<Object, Integer> made = new IdentityHashMap<>();
    private final List<Object> waiting = new ArrayList<>();

    VeerGraph(ClassLoader loader, Map<Integer, Object> objects) {
        this.loader = loader;
        objects.forEach((number, object) -> inputs.put(object, number));
    }

    String text(Object result, Object object, Map<Integer, Object> objects) throws IllegalAccessException {
        StringBuilder all = new StringBuilder("R ").append(reference(result)).append("|T ").append(reference(object));
        for (Map.Entry<Integer, Object> each : objects.entrySet()) describe(all, "@" + each.getKey(), each.getValue());
        for (int at = 0; at < waiting.size() && at < MOST; at++) describe(all, "#" + (at + 1), waiting.get(at));
        return all.toString();
    }

    private String reference(Object object) {
        if (object == null) return "null";
        if (object instanceof String) return "S" + units((String) object);
        if (object instanceof Enum) return "e" + ((Enum<?>) object).getDeclaringClass().getName() + ":" + units(((Enum<?>) object).name());
        char letter = VeerReplay.letter(object.getClass());
        if (letter != 0) return "b" + number(letter, object);
        Integer known = inputs.get(object);
        if (known != null) return "@" + known;
        if (!isTold(object.getClass())) return "?";
        Integer number = made.get(object);
        if (number == null) {
            waiting.add(object);
            number = waiting.size();
            made.put(object, number);
        }
        return "#" + number;
    }

    /** Whether it is an array or a list, or one whose fields are told. */
    private boolean isTold(Class<?> owner) {
        if (owner.isArray() || owner == ArrayList.class) return true;
        if (owner.getName().startsWith("java.util.")) return TOLD.contains(owner.getName().substring("java.util.".length()));
        for (Class<?> each = owner; each != Object.class; each = each.getSuperclass()) {
            if (each.getClassLoader() != loader && !each.getName().equals("java.lang.Record")) return false;
        }
        return !owner.getName().contains("$$") && !owner.isHidden();
    }

    private void describe(StringBuilder all, String name, Object object) throws IllegalAccessException {
        Class<?> owner = object.getClass();
        if (object instanceof String || object instanceof Enum || VeerReplay.letter(owner) != 0 || !isTold(owner)) return;
        all.append('|').append(name).append(owner.isArray() || owner == ArrayList.class ? " A " : " F ").append(owner.getName());
        if (object instanceof ArrayList) {
            for (Object each : (ArrayList<?>) object) all.append(' ').append(reference(each));
        } else if (owner.isArray()) {
            for (int at = 0; at < Array.getLength(object); at++) all.append(' ').append(value(owner.getComponentType(), Array.get(object, at)));
        } else {
            fields(all, object);
        }
    }

    /** The fields in the order of their classes' names and their own. */
    private void fields(StringBuilder all, Object object) throws IllegalAccessException {
        Map<String, Field> found = new TreeMap<>();
        for (Class<?> each = object.getClass(); each != null; each = each.getSuperclass()) {
            boolean isOwn = !each.getName().startsWith("java.util.");
            for (Field field : each.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || (!isOwn && LEFT_OUT.contains(field.getName()))) continue;
                found.put(each.getName() + "#" + field.getName(), field);
            }
        }
        for (Map.Entry<String, Field> each : found.entrySet()) {
            each.getValue().setAccessible(true);
            all.append(' ').append(each.getKey()).append('=').append(value(each.getValue().getType(), each.getValue().get(object)));
        }
    }

    private String value(Class<?> type, Object value) {
        return type.isPrimitive() ? number(VeerReplay.letter(value.getClass()), value) : reference(value);
    }

    private static String number(char letter, Object value) {
        boolean isNan = (value instanceof Float && ((Float) value).isNaN()) || (value instanceof Double && ((Double) value).isNaN());
        return letter + (isNan ? "nan" : Long.toHexString(Long.parseUnsignedLong(VeerReplay.bits(value), 16) & mask(letter)));
    }

    private static long mask(char letter) {
        switch (letter) {
            case 'Z': case 'B': return 0xff;
            case 'C': case 'S': return 0xffff;
            case 'I': case 'F': return 0xffffffffL;
            default: return -1;
        }
    }

    private static String units(String text) {
        StringBuilder all = new StringBuilder();
        for (int at = 0; at < text.length(); at++) all.append(at > 0 ? "." : "").append(Integer.toHexString(text.charAt(at)));
        return all.toString();
    }
}
