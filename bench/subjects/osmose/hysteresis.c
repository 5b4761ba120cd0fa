/* After OSMOSE's "hysteresis": 16 branches, 2 functions, call depth 1. A switch with two thresholds follows a signal. */
enum { SAMPLES = 6, LOW = 20, HIGH = 80 };

static int next_state(int is_on, int sample) {
    if (is_on) {
        if (sample < LOW)
            return 0;
    } else {
        if (sample > HIGH)
            return 1;
    }
    return is_on;
}

struct samples {
    signed char at[SAMPLES];
};

int hysteresis(struct samples samples) {
    int is_on = 0, switches = 0, longest = 0, length = 0;
    for (int k = 0; k < SAMPLES; k++) {
        if (samples.at[k] < 0)
            return -1;
        int state = next_state(is_on, samples.at[k]);
        if (state != is_on) {
            switches++;
            length = 0;
        }
        is_on = state;
        if (is_on && ++length > longest)
            longest = length;
    }
    return switches > 2 ? -2 : longest;
}
