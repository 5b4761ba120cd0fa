package java.util;

/** In the place of static fields of ImmutableCollections; the salt of its sets and maps is another one in each start of the JVM. */
final class Veer_ImmutableCollections {
    static final Object EMPTY = new Object();
    static final List<?> EMPTY_LIST = new Empty<>(false);
    static final List<?> EMPTY_LIST_NULLS = new Empty<>(true);

    private static final class Empty<E> extends ImmutableCollections.AbstractImmutableList<E> {
        private final boolean allowsNull;

        Empty(boolean allowsNull) {
            this.allowsNull = allowsNull;
        }

        @Override
        public boolean isEmpty() {
            return true;
        }

        @Override
        public int size() {
            return 0;
        }

        @Override
        public E get(int index) {
            throw new ArrayIndexOutOfBoundsException(index);
        }

        @Override
        public int indexOf(Object each) {
            if (!allowsNull && each == null) throw new NullPointerException();
            return -1;
        }

        @Override
        public int lastIndexOf(Object each) {
            return indexOf(each);
        }

        @Override
        public Object[] toArray() {
            return new Object[0];
        }

        @Override
        public <T> T[] toArray(T[] to) {
            if (to.length > 0) to[0] = null;
            return to;
        }
    }
}
