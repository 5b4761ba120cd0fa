package java.lang;

import veer.Engine;

/** In the place of methods of Object. */
final class Veer_Object {
    /** Whether the texts that are made now are written somewhere where nobody looks. */
    static boolean isUnread;

    static int hashCode(Object object) {
        return Engine.identity(object);
    }

    static String toString(Object object) {
        if (!isUnread) Engine.refuse("the text of an object that has no toString() of its own: it holds its identity hash code");
        return "";
    }
}
