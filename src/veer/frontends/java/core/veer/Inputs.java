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

    /** The arguments of a program. */
    public static String[] arguments() {
        String[] all = new String[exactly(Engine.aCount())];
        for (int at = 0; at < all.length; at++) all[at] = string();
        return all;
    }

    /** No arguments of a program. */
    public static String[] none() {
        return new String[0];
    }

    /** The number, as one that is no input any more. */
    private static int exactly(int number) {
        int known = 0;
        while (known != number) known++;
        return known;
    }
}
