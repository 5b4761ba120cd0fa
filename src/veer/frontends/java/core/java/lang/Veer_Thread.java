package java.lang;

/** In the place of methods of Thread: time is not what runs are about. */
final class Veer_Thread {
    static void sleep(long milliseconds) throws InterruptedException {
        if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
    }
}
