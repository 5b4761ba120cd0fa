package java.lang.reflect;

import veer.Engine;

/** In the place of methods of Array. */
final class Veer_Array {
    static Object newInstance(Class<?> component, int length) {
        if (length < 0) throw new NegativeArraySizeException(Integer.toString(length));
        return Engine.arrayOfComponent(component, length);
    }

    static int getLength(Object array) {
        if (array == null) throw new NullPointerException();
        if (array instanceof Object[]) return ((Object[]) array).length;
        if (array instanceof int[]) return ((int[]) array).length;
        if (array instanceof long[]) return ((long[]) array).length;
        if (array instanceof byte[]) return ((byte[]) array).length;
        if (array instanceof char[]) return ((char[]) array).length;
        if (array instanceof short[]) return ((short[]) array).length;
        if (array instanceof boolean[]) return ((boolean[]) array).length;
        if (array instanceof float[]) return ((float[]) array).length;
        if (array instanceof double[]) return ((double[]) array).length;
        throw new IllegalArgumentException("Argument is not an array");
    }
}
