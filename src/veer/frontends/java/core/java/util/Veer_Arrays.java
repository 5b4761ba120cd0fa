package java.util;

import veer.Engine;

/** In the place of methods of Arrays that ask for the class of an array. */
final class Veer_Arrays {
    static Object[] copyOf(Object[] from, int length, Class<?> owner) {
        if (length < 0) throw new NegativeArraySizeException(Integer.toString(length));
        Object[] made = Engine.arrayOf(owner, length);
        System.arraycopy(from, 0, made, 0, Math.min(from.length, length));
        return made;
    }

    static Object[] copyOfRange(Object[] from, int start, int end, Class<?> owner) {
        int length = end - start;
        if (length < 0) throw new IllegalArgumentException(start + " > " + end);
        Object[] made = Engine.arrayOf(owner, length);
        System.arraycopy(from, start, made, 0, Math.min(from.length - start, length));
        return made;
    }
}
