package java.util.concurrent;

/** In the place of methods of ConcurrentHashMap that other threads could come between: there is one thread. */
final class Veer_ConcurrentHashMap {
    static <K, V> ConcurrentHashMap.Node<K, V> tabAt(ConcurrentHashMap.Node<K, V>[] table, int place) {
        return table[place];
    }

    static <K, V> boolean casTabAt(
            ConcurrentHashMap.Node<K, V>[] table, int place, ConcurrentHashMap.Node<K, V> there, ConcurrentHashMap.Node<K, V> other) {
        if (table[place] != there) return false;
        table[place] = other;
        return true;
    }

    static <K, V> void setTabAt(ConcurrentHashMap.Node<K, V>[] table, int place, ConcurrentHashMap.Node<K, V> other) {
        table[place] = other;
    }
}
