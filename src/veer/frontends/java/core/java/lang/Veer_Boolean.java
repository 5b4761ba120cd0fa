package java.lang;

import veer.Engine;

/** In the place of static fields of Boolean: its two objects are marked as what valueOf makes. */
final class Veer_Boolean {
    public static final Boolean TRUE = Engine.boxed(new Boolean(true));
    public static final Boolean FALSE = Engine.boxed(new Boolean(false));

    static Boolean valueOf(boolean value) {
        return value ? TRUE : FALSE;
    }
}
