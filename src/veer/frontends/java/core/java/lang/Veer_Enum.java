package java.lang;

import veer.Engine;

/** In the place of methods of Enum. */
final class Veer_Enum {
    /** An input is a copy of a constant: both have the same. */
    static int hashCode(Enum<?> object) {
        return Engine.identity(object) * 0 + 65536 + object.ordinal();
    }

    static boolean equals(Enum<?> object, Object other) {
        return Engine.same(object, other);
    }

    static Enum<?> valueOf(Class<?> owner, String name) {
        Object[] all = Engine.enumConstants(owner);
        if (all == null) throw new IllegalArgumentException(owner.getName() + " is not an enum class");
        if (name == null) throw new NullPointerException("Name is null");
        for (Object each : all) {
            if (((Enum<?>) each).name().equals(name)) return (Enum<?>) each;
        }
        throw new IllegalArgumentException("No enum constant " + owner.getName().replace('$', '.') + "." + name);
    }
}
