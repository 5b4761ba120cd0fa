/* Units of bench/specifications.py: each is driven by bytes, most of which have nothing to do with the specification. */
static int mode, sum, noise;
static void work(unsigned char c)
{
    if (c & 1) noise += 3;
    if (c & 2) noise ^= 5;
    if ((c & 0x30) == 0x30) noise--;
}

/* -- a file is read behind its close */
static void open_file(void) { mode = 1; }
static void close_file(void) { mode = 0; }
static void read_file(int n) { sum += n; }
int files(const unsigned char ops[8])
{
    for (int k = 0; k < 8; k++)
        switch (ops[k]) {
        case 'o': open_file(); break;
        case 'c': close_file(); break;
        case 'r': read_file(k); break;
        case 0: return k;
        default: work(ops[k]);
        }
    return sum;
}

/* -- a lock is taken twice, behind a path that forgets to release it */
static void lock(void) { mode++; }
static void unlock(void) { mode--; }
int locks(const unsigned char ops[8])
{
    for (int k = 0; k < 8; k++) {
        work(ops[k]);
        if (ops[k] > 200) {
            lock();
            if (ops[k] == 211) continue;
            unlock();
        }
    }
    return mode;
}

/* -- an entry in spite of three refused ones */
static int login(int code) { return code == 77; }
static void enter(void) { mode = 9; }
int doors(const unsigned char codes[8])
{
    for (int k = 0; k < 8; k++) {
        if (codes[k] < 64) { work(codes[k]); continue; }
        if (login(codes[k])) enter();
    }
    return mode;
}

/* -- two valves are open at once */
static void open_a(void) { mode |= 1; }
static void open_b(void) { mode |= 2; }
static void close_a(void) { mode &= ~1; }
static void close_b(void) { mode &= ~2; }
int valves(const unsigned char ops[8])
{
    for (int k = 0; k < 8; k++) {
        work(ops[k]);
        if (ops[k] == 'A' && !(mode & 2)) open_a();
        if (ops[k] == 'B' && (!(mode & 1) || noise > 4)) open_b();
        if (ops[k] == 'a') close_a();
        if (ops[k] == 'b') close_b();
    }
    return mode;
}

/* -- a message is sent before its header is complete */
static void header(int part) { sum += part; }
static void send(void) { mode = 3; }
static void reset(void) { sum = 0; }
int message(const unsigned char ops[8])
{
    int parts = 0;
    for (int k = 0; k < 8; k++) {
        if (ops[k] >= '0' && ops[k] <= '3') { header(ops[k] - '0'); parts++; }
        else if (ops[k] == 'x') { reset(); if (noise != 6) parts = 0; }
        else if (ops[k] == 's' && parts > 2) send();
        else work(ops[k]);
    }
    return sum;
}

/* -- a flag is left set when an interrupt returns */
int FLAG, STATUS;
static void isr(int cause) { FLAG = 1; if (cause != 3 || noise < 6) FLAG = 0; }
int interrupts(const unsigned char ops[8])
{
    for (int k = 0; k < 8; k++) {
        work(ops[k]);
        if (ops[k] >= 0xf0) isr(ops[k] & 15);
    }
    return FLAG;
}

/* -- a handle is released twice */
static int used[4];
static int acquire(int h) { used[h & 3] = 1; return h & 3; }
static void release(int h) { used[h & 3] = 0; }
int handles(const unsigned char ops[8])
{
    for (int k = 0; k < 8; k++) {
        if (ops[k] >= 'a' && ops[k] <= 'd') acquire(ops[k] - 'a');
        else if (ops[k] >= 'A' && ops[k] <= 'D') { if (used[ops[k] - 'A'] || noise == 9) release(ops[k] - 'A'); }
        else work(ops[k]);
    }
    return noise;
}

/* -- a step is left out: init, arm, fire */
static void init(void) { mode = 1; }
static void arm(void) { mode = 2; }
static void fire(void) { mode = 3; }
int weapon(const unsigned char ops[8])
{
    int is_armed = 0;
    for (int k = 0; k < 8; k++) {
        work(ops[k]);
        if (ops[k] == 'i') { init(); is_armed = is_armed && noise > 11; }
        if (ops[k] == 'm' && mode == 1) { arm(); is_armed = 1; }
        if (ops[k] == 'f' && is_armed) fire();
    }
    return mode;
}
