/* Four telegrams that are read one after the other, by one automaton: each alone has tens of thousands of paths. */
#define TELEGRAMS 4
#define LENGTH 8

struct telegram {
    unsigned char text[LENGTH];
};

static int states[TELEGRAMS];

static int read_text(const unsigned char *text)
{
    int state = 0;
    for (int i = 0; i < LENGTH; i++) {
        if (text[i] == 0)
            break;
        if (text[i] >= '0' && text[i] <= '9')
            state = state * 2 + 1;
        else if (text[i] == '-')
            state++;
        else
            state = 0;
    }
    return state;
}

void telegrams(struct telegram all[TELEGRAMS])
{
    for (int k = 0; k < TELEGRAMS; k++)
        states[k] = read_text(all[k].text);
}
