/** Concatenations, which javac writes as `invokedynamic`: each method is lowered and compared with the JVM. */
public class Concats {
    static int literal(String s) { return ("ab" + s).hashCode(); }

    static int around(String a, String b) { return ("<" + a + "|" + b + ">").hashCode(); }

    static int integer(int n) { return ("n = " + n).hashCode(); }

    static int wide(long n, String s) { return (n + s + n).hashCode(); }

    static int narrow(byte b, short s) { return (b + "," + s).hashCode(); }

    static int letters(char c, String s) { return (s + c + "\u4e2d").hashCode(); }

    static int truth(boolean b) { return ("" + b).hashCode(); }

    static boolean fresh(String s) { return ("" + s) == s; }

    static boolean same(String a, String b) { return (a + b).equals(b + a); }

    static int control(String s) { return (s + "\1\2" + s).hashCode(); }

    static int nothing(String s) { return ("" + s).length(); }

    static int assigned(String s, int n) {
        for (int i = 0; i < (n & 3); i++) {
            s += i;
        }
        return s.length();
    }

    static char beyond(String s, int n) { return (s + n).charAt(n & 7); }

    static int caught(String s, int n) {
        try {
            return ("x" + s.length() + 10 / n).hashCode();
        } catch (ArithmeticException e) {
            return (n + "/" + s).hashCode();
        }
    }
}
