package veer;

/** Inputs that are made of others. */
public final class Inputs {
    private Inputs() {}

    /** A string of characters below 256. */
    public static String string() {
        int count = exactly(Engine.aLength());
        byte[] units = new byte[count];
        for (int at = 0; at < count; at++) units[at] = Engine.aCharacter();
        return VeerTexts.latin1(units);
    }

    /** An object that nobody says anything of: null, or a number in a box. */
    public static Object object() {
        return Engine.aBoolean() ? Integer.valueOf(Engine.anInt()) : null;
    }

    /** Whether a program may be started with these. */
    public static boolean areArguments(String[] all) {
        if (all == null) return false;
        for (String each : all) {
            if (each == null) return false;
        }
        return true;
    }

    /** No arguments of a program. */
    public static String[] none() {
        return new String[0];
    }

    /** What a collection that is an input holds. */
    public static void fill(java.util.Collection<Object> made, Object[] elements) {
        for (Object each : elements) made.add(each);
    }

    /** The same of a map: each key, and its value behind it. */
    public static void fill(java.util.Map<Object, Object> made, Object[] elements) {
        for (int at = 0; at < elements.length; at += 2) made.put(elements[at], elements[at + 1]);
    }

    /** The number, as one that is no input any more. */
    private static int exactly(int number) {
        int known = 0;
        while (known != number) known++;
        return known;
    }
}
