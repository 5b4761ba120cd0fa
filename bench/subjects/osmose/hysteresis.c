/* After OSMOSE's "hysteresis": 16 branches, 2 functions, call depth 1. A switch with two thresholds follows a signal. */
enum { SAMPLES = 4, TOP = 100, LOW = 20, HIGH = 80 };

static int within_range(int sample) {
    if (sample < 0)
        return 0;
    if (sample > TOP)
        return TOP;
    return sample;
}

struct samples {
    signed char at[SAMPLES];
};

int hysteresis(struct samples samples) {
    int is_on = 0, switches = 0, longest = 0, length = 0;
    for (int k = 0; k < SAMPLES; k++) {
        int level = within_range(samples.at[k]), before = is_on;
        if (is_on)
            is_on = level >= LOW;
        else if (level > HIGH)
            is_on = 1;
        if (is_on != before) {
            switches++;
            length = 0;
        }
        if (++length > longest)
            longest = length;
    }
    return switches > 2 ? -1 : longest;
}
