package java.lang;

import veer.Engine;

/** In the place of methods of Runtime. */
final class Veer_Runtime {
    static void exit(Runtime runtime, int status) {
        Engine.exit(status);
    }

    static void halt(Runtime runtime, int status) {
        Engine.exit(status);
    }

    static void gc(Runtime runtime) {}
}
