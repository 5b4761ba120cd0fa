package java.util;

/** In the place of methods of Objects: the messages of these exceptions are not made. */
final class Veer_Objects {
    static int checkIndex(int index, int length) {
        if (index < 0 || index >= length) throw new IndexOutOfBoundsException(0);
        return index;
    }

    static int checkFromToIndex(int from, int to, int length) {
        if (from < 0 || from > to || to > length) throw new IndexOutOfBoundsException(0);
        return from;
    }

    static int checkFromIndexSize(int from, int size, int length) {
        if ((length | from | size) < 0 || size > length - from) throw new IndexOutOfBoundsException(0);
        return from;
    }
}
