/* Units of bench/specifications.py --held-out: written before anything was measured on them, and not changed since (decision 0509). */
static int total, level, dirty;

/* -- a pump runs dry: it is started behind a drain, with no fill between */
static void fill(void) { level = 3; }
static void drain(void) { level = 0; }
static void pump_on(int speed) { total += speed; }
int pump(const unsigned char in[10])
{
    for (int k = 0; k < 10; k++) {
        unsigned char c = in[k];
        if (c < 40) { if (c % 3 == 0) fill(); else dirty++; }
        else if (c < 80) { if (level > 0 && c & 1) drain(); }
        else if (c > 240 && (level > 0 || dirty > 2)) pump_on(c - 240);
        else total ^= c;
    }
    return total;
}

/* -- a printer prints behind a jam that nobody cleared */
static void print(int page) { total += page; }
static void jam(void) { dirty = 1; }
static void clear(void) { dirty = 0; }
int printer(const unsigned char in[9])
{
    int held = 0;
    for (int k = 0; k < 9; k++) {
        unsigned char c = in[k];
        if (c == 'j') { if (held > 0) jam(); }
        else if (c == 'h') held++;
        else if (c == 'c') { if (dirty) { clear(); held = 0; } }
        else if (c >= 'p' && c <= 'r') { if (!dirty || held > 3) print(c - 'p'); }
        else total -= c & 3;
    }
    return total;
}

/* -- a transaction commits behind a failed write */
static int write_block(int block) { total += block; return block == 13 ? -1 : block; }
static void commit(void) { dirty = 0; }
static void roll_back(void) { dirty = 0; total = 0; }
int transaction(const unsigned char ops[8])
{
    int failed = 0;
    for (int k = 0; k < 8; k++) {
        int op = ops[k] >> 6, value = ops[k] & 63;
        if (op == 0 && value < 20) { dirty = 1; if (write_block(value) < 0) failed = 1; }
        else if (op == 1) { if (dirty && failed) { roll_back(); failed = 0; } }
        else if (op == 2 && value > 50) { if (dirty && (!failed || total > 40)) commit(); failed = 0; }
        else total++;
    }
    return dirty;
}

/* -- a session speaks before it has shaken hands a second time, behind a renewal */
static void hello(int version) { level = version; }
static void agree(void) { level += 10; }
static void renew(void) { level = 1; }
static void talk(int n) { total += n; }
int session(const unsigned char in[9])
{
    int state = 0, warm = 0;
    for (int k = 0; k < 9; k++) {
        switch (in[k] % 16) {
        case 1: if (state == 0) { hello(in[k] / 16); state = 1; } break;
        case 2: if (state == 1) { agree(); state = 2; warm++; } break;
        case 3: if (state == 2) { renew(); state = warm > 1 ? 2 : 1; } break;
        case 4: if (state == 2) talk(k); break;
        default: total -= in[k] & 1;
        }
    }
    return total;
}

/* -- two bytes of a counter are read apart, an interrupt between: the second read needs the same epoch */
int EPOCH;
static int low(void) { return total & 255; }
static int high(void) { return total >> 8; }
static void tick(void) { EPOCH++; total += 77; }
int counter(const unsigned char in[8])
{
    int sum = 0;
    for (int k = 0; k + 1 < 8; k += 2) {
        if (in[k] == 'r') { sum += low(); if (in[k + 1] > 250 && EPOCH > 1) tick(); sum += high(); }
        else if (in[k] == 't') tick();
        else if (in[k] < 32) sum ^= in[k + 1];
    }
    return sum;
}

/* -- a slot is read behind its removal; which one is told by the input */
static int slots[3];
static void put(int s) { slots[s] = 1; }
static void drop(int s) { slots[s] = 0; }
static int take(int s) { return slots[s]; }
int cache(const unsigned char in[8])
{
    int hits = 0;
    for (int k = 0; k < 8; k++) {
        int s = in[k] & 3, op = in[k] >> 5;
        if (s == 3) continue;
        if (op == 1) put(s);
        else if (op == 2 && slots[s]) drop(s);
        else if (op == 3 && (slots[s] || hits > 1)) { take(s); hits++; }
    }
    return hits;
}

/* -- a heater stays on at the end */
static void heat(int on) { level = on; }
int heater(const unsigned char temps[8])
{
    int on = 0;
    for (int k = 0; k < 8; k++) {
        if (!on && temps[k] < 50) { heat(1); on = 1; }
        else if (on && temps[k] > 70 && temps[k] != 99) { heat(0); on = 0; }
    }
    if (on && temps[0] != 7) heat(0);
    return on;
}

/* -- a retry is made a fourth time */
static int send_once(int n) { total += n; return n & 1; }
static void give_up(void) { dirty = 1; }
int retry(const unsigned char in[10])
{
    int tries = 0;
    for (int k = 0; k < 10; k++) {
        if (in[k] < 128) { total += in[k]; continue; }
        if (tries == 3 && in[k] != 200) { give_up(); tries = 0; }
        else if (send_once(in[k])) tries = 0;
        else tries++;
    }
    return tries;
}
