import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The objects of a test, each made when it is asked for.
 *
 * <pre>
 * 3|T|61,62                                    a string of these characters
 * 3|A|[I|I:1,I:2                               an array
 * 3|A|[Lpkg/Node;|&#64;4,null
 * 3|B|I:5                                      what valueOf of a box gives
 * 3|E|pkg.Color|2                              a constant of an enum, by its number
 * 3|L|java.util.TreeSet|&#64;4,&#64;5          a collection, to which these are added
 * 3|M|java.util.HashMap|&#64;4,&#64;5          a map: keys, each with its value behind it
 * 3|P|pkg.Sized|size()I=I,name()...=T        an interface whose results are given: letters of types, V, T a text, O an object, N null
 * 3|N|pkg.Node|(ILpkg/Node;)V|I:5,&#64;4       made by a constructor
 * 3|N|pkg.Money|of(J)Lpkg/Money;|J:5           made by a static method
 * 3|F|pkg.Node|pkg.Node#value=I:5,...          made without one, with these fields; a record: by its own
 * </pre>
 */
final class VeerObjects {
    private final ClassLoader loader;
    private final Map<String, String[]> texts = new HashMap<>();
    private final Map<String, Object> objects = new HashMap<>();

    VeerObjects(ClassLoader loader) {
        this.loader = loader;
    }

    void define(String text) {
        String[] parts = text.split("[|]", -1);
        texts.put(parts[0], parts);
    }

    boolean knows(String number) {
        return texts.containsKey(number);
    }

    /** All that were asked for, by number. */
    Map<Integer, Object> made() {
        Map<Integer, Object> all = new TreeMap<>();
        objects.forEach((number, object) -> all.put(Integer.parseInt(number), object));
        return all;
    }

    /** A type by its descriptor. */
    Class<?> type(String descriptor) throws ClassNotFoundException {
        switch (descriptor.charAt(0)) {
            case 'Z': return boolean.class;
            case 'B': return byte.class;
            case 'C': return char.class;
            case 'S': return short.class;
            case 'I': return int.class;
            case 'J': return long.class;
            case 'F': return float.class;
            case 'D': return double.class;
            case '[': return Array.newInstance(type(descriptor.substring(1)), 0).getClass();
            default: return named(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
        }
    }

    /** A number with its type, null, an object, or what a constructor gets that nobody looks at. */
    Object value(String text) throws ReflectiveOperationException {
        if (text.equals("null")) return null;
        if (text.equals("text")) return "";
        if (text.equals("bytes")) return new byte[0];
        if (text.equals("longs")) return new long[0];
        return text.startsWith("@") ? object(text.substring(1)) : number(text.charAt(0), text.substring(2));
    }

    private Class<?> named(String name) throws ClassNotFoundException {
        return Class.forName(name, false, loader);
    }

    private Object object(String number) throws ReflectiveOperationException {
        if (objects.containsKey(number)) {
            Object known = objects.get(number);
            if (known == null) throw new IllegalStateException("the object " + number + " is needed to make itself");
            return known;
        }
        objects.put(number, null);
        make(number, texts.get(number));
        return objects.get(number);
    }

    private void make(String number, String[] parts) throws ReflectiveOperationException {
        String kind = parts[1];
        List<String> held = new ArrayList<>();
        String last = parts[parts.length - 1];
        if (!last.isEmpty()) held.addAll(Arrays.asList(last.split(",")));
        if (kind.equals("T")) {
            StringBuilder units = new StringBuilder();
            for (String unit : held) units.append((char) Integer.parseInt(unit, 16));
            objects.put(number, new String(units.toString()));
        } else if (kind.equals("A")) {
            Object array = Array.newInstance(type(parts[2].substring(1)), held.size());
            objects.put(number, array);
            for (int at = 0; at < held.size(); at++) Array.set(array, at, value(held.get(at)));
        } else if (kind.equals("B")) {
            objects.put(number, value(last));
        } else if (kind.equals("E")) {
            objects.put(number, named(parts[2]).getEnumConstants()[Integer.parseInt(last, 16)]);
        } else if (kind.equals("P")) {
            Map<String, String> letters = new HashMap<>();
            for (String each : held) letters.put(each.substring(0, each.lastIndexOf('=')), each.substring(each.lastIndexOf('=') + 1));
            Class<?>[] all = {named(parts[2])};
            objects.put(number, Proxy.newProxyInstance(all[0].getClassLoader() == null ? loader : all[0].getClassLoader(), all, (proxy, method, given) -> {
                if (method.isDefault()) return InvocationHandler.invokeDefault(proxy, method, given);
                if (method.getDeclaringClass() == Object.class) return ofObject(proxy, method.getName(), given);
                String type = MethodType.methodType(method.getReturnType(), method.getParameterTypes()).toMethodDescriptorString();
                return given(letters.getOrDefault(method.getName() + type, "V").charAt(0));
            }));
        } else if (kind.equals("N")) {
            objects.put(number, constructed(parts[2], parts[3], held));
        } else if (kind.equals("F") && named(parts[2]).isRecord()) {
            objects.put(number, record(named(parts[2]), held));
        } else if (kind.equals("F")) {
            Object made = bare(named(parts[2]));
            objects.put(number, made);
            for (String each : held) set(made, each.substring(0, each.indexOf('=')), value(each.substring(each.indexOf('=') + 1)));
        } else {
            collect(number, kind, named(parts[2]), held);
        }
    }

    @SuppressWarnings("unchecked")
    private void collect(String number, String kind, Class<?> owner, List<String> held) throws ReflectiveOperationException {
        List<Object> values = new ArrayList<>();
        for (String each : held) values.add(value(each));
        if (kind.equals("M")) {
            Map<Object, Object> map = (Map<Object, Object>) owner.getDeclaredConstructor().newInstance();
            for (int at = 0; at < values.size(); at += 2) map.put(values.get(at), values.get(at + 1));
            objects.put(number, map);
        } else if (owner == ArrayList.class) {
            objects.put(number, new ArrayList<>(values));
        } else {
            Collection<Object> all = (Collection<Object>) owner.getDeclaredConstructor().newInstance();
            for (Object each : values) all.add(each);
            objects.put(number, all);
        }
    }

    private Object constructed(String owner, String descriptor, List<String> held) throws ReflectiveOperationException {
        List<Class<?>> types = new ArrayList<>();
        int begins = descriptor.indexOf('(');
        for (int at = begins + 1; descriptor.charAt(at) != ')'; ) {
            int end = at;
            while (descriptor.charAt(end) == '[') end++;
            end = descriptor.charAt(end) == 'L' ? descriptor.indexOf(';', end) + 1 : end + 1;
            types.add(type(descriptor.substring(at, end)));
            at = end;
        }
        Object[] values = new Object[held.size()];
        for (int at = 0; at < values.length; at++) values[at] = value(held.get(at));
        return made(named(owner), descriptor.substring(0, begins), types.toArray(new Class<?>[0]), values);
    }

    /** What a constructor makes, or a static method of this name. */
    static Object made(Class<?> owner, String method, Class<?>[] types, Object[] values) throws ReflectiveOperationException {
        if (!method.isEmpty()) {
            Method found = owner.getDeclaredMethod(method, types);
            if (owner.getClassLoader() != null) found.setAccessible(true);
            return found.invoke(null, values);
        }
        Constructor<?> constructor = owner.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    /** A record, whose fields only its constructor can set. */
    private Object record(Class<?> owner, List<String> held) throws ReflectiveOperationException {
        Map<String, String> given = new HashMap<>();
        for (String each : held) given.put(each.substring(each.indexOf('#') + 1, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        RecordComponent[] components = owner.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int at = 0; at < components.length; at++) {
            types[at] = components[at].getType();
            values[at] = value(given.get(components[at].getName()));
        }
        Constructor<?> constructor = owner.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private static Object ofObject(Object proxy, String method, Object[] given) {
        if (method.equals("equals")) return proxy == given[0];
        return method.equals("hashCode") ? (Object) System.identityHashCode(proxy) : "a function";
    }

    /** The next result of a function. */
    private static Object given(char letter) {
        String[] names = {"aBoolean", "aByte", "aChar", "aShort", "anInt", "aLong", "aFloat", "aDouble"};
        int place = "ZBCSIJFD".indexOf(letter);
        if (place >= 0) return number(letter, Long.toHexString(veer.Given.next(names[place])));
        return letter == 'T' ? veer.Given.string() : letter == 'O' ? veer.Given.object() : null;
    }

    /** An object of which no constructor has run. */
    private static Object bare(Class<?> owner) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field only = unsafe.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), owner);
    }

    private void set(Object object, String field, Object value) throws ReflectiveOperationException {
        int mark = field.indexOf('#');
        Field found = named(field.substring(0, mark)).getDeclaredField(field.substring(mark + 1));
        found.setAccessible(true);
        found.set(object, value);
    }

    static Object number(char letter, String text) {
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
}
