/** Units of bench/specifications.py --java: four of watched.c, written again in Java. */
final class Watched {
    private int mode, sum, noise;

    private void work(int c) {
        if ((c & 1) != 0) noise += 3;
        if ((c & 2) != 0) noise ^= 5;
        if ((c & 0x30) == 0x30) noise--;
    }

    // A file is read behind its close.
    void openFile() { mode = 1; }

    void closeFile() { mode = 0; }

    void readFile(int n) { sum += n; }

    static int files(byte[] ops) {
        Watched it = new Watched();
        for (int k = 0; ops != null && k < ops.length; k++) {
            switch (ops[k]) {
                case 'o' -> it.openFile();
                case 'c' -> it.closeFile();
                case 'r' -> it.readFile(k);
                case 0 -> { return k; }
                default -> it.work(ops[k]);
            }
        }
        return it.sum;
    }

    // An entry in spite of three refused ones.
    boolean login(int code) { return code == 77; }

    void enter() { mode = 9; }

    static int doors(byte[] codes) {
        Watched it = new Watched();
        for (int k = 0; codes != null && k < codes.length; k++) {
            if (codes[k] < 64) it.work(codes[k]);
            else if (it.login(codes[k])) it.enter();
        }
        return it.mode;
    }

    // Two valves are open at once.
    void openA() { mode |= 1; }

    void openB() { mode |= 2; }

    void closeA() { mode &= ~1; }

    void closeB() { mode &= ~2; }

    static int valves(byte[] ops) {
        Watched it = new Watched();
        for (int k = 0; ops != null && k < ops.length; k++) {
            it.work(ops[k]);
            if (ops[k] == 'A' && (it.mode & 2) == 0) it.openA();
            if (ops[k] == 'B' && ((it.mode & 1) == 0 || it.noise > 4)) it.openB();
            if (ops[k] == 'a') it.closeA();
            if (ops[k] == 'b') it.closeB();
        }
        return it.mode;
    }

    // A flag is left set when an interrupt returns.
    boolean flag;

    void isr(int cause) {
        flag = true;
        if (cause != 3 || noise < 6) flag = false;
    }

    static int interrupts(byte[] ops) {
        Watched it = new Watched();
        for (int k = 0; ops != null && k < ops.length; k++) {
            it.work(ops[k]);
            if (ops[k] >= 112) it.isr(ops[k] & 15);
        }
        return it.flag ? 1 : 0;
    }
}
