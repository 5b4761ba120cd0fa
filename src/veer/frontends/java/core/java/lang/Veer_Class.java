package java.lang;

import veer.Engine;

/** In the place of methods of Class. */
final class Veer_Class {
    /** As compilers name classes within others: Outer$Inner, Outer$1Local, Outer$1 without a name. */
    static String getSimpleName(Class<?> owner) {
        String name = owner.getName();
        if (name.indexOf("$$") >= 0 || name.indexOf('[') >= 0) {
            Engine.refuse("java.lang.Class.getSimpleName of an array, or of a class without a file");
        }
        int last = name.lastIndexOf('$');
        if (last < 0) return name.substring(name.lastIndexOf('.') + 1);
        int at = last + 1;
        while (at < name.length() && name.charAt(at) >= '0' && name.charAt(at) <= '9') at++;
        return name.substring(at);
    }

    static Class<?> getComponentType(Class<?> owner) {
        return Engine.component(owner);
    }

    static boolean isArray(Class<?> owner) {
        return Engine.component(owner) != null;
    }

    static boolean isPrimitive(Class<?> owner) {
        return owner == int.class || owner == long.class || owner == byte.class || owner == char.class
                || owner == boolean.class || owner == double.class || owner == float.class || owner == short.class
                || owner == void.class;
    }

    /** What nobody reads: int.class and its kin are constants. */
    static Class<?> getPrimitiveClass(String name) {
        return null;
    }

    static boolean desiredAssertionStatus(Class<?> owner) {
        return true;
    }

    static Object[] getEnumConstantsShared(Class<?> owner) {
        return Engine.enumConstants(owner);
    }

    static Object[] getEnumConstants(Class<?> owner) {
        return Engine.enumConstants(owner);
    }

    static boolean isInstance(Class<?> owner, Object object) {
        return Engine.isInstance(owner, object);
    }

    static Object cast(Class<?> owner, Object object) {
        if (object != null && !Engine.isInstance(owner, object)) {
            ClassCastException made = new ClassCastException();
            Throwable.hide(made);
            throw made;
        }
        return object;
    }
}
