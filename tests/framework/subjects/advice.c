/* What a pilot is told. Each condition alone may take the advice away, but only where all others let it through. */
enum advice { NONE, CLIMB, DESCEND };

static int limit(int margin, int wide)
{
    return wide ? margin + 100 : margin;
}

enum advice advise(int trusted, int rate, int gap, int own, int other, int wide)
{
    int enabled = trusted && rate <= 600 && gap > 300;
    int known = own != 0 && other != 0;
    if (enabled && (known || gap > 900)) {
        if (limit(own, wide) > other)
            return CLIMB;
        return DESCEND;
    }
    return NONE;
}
