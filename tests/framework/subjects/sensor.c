/* Averages what a sensor says, which is not part of the unit. */
int read_sensor(int channel);

enum { CHANNELS = 3 };

/* The mean of the channels from `first` on; -1 when one of them fails. */
int mean(int first)
{
    int sum = 0;
    int channel;
    if (first < 0 || first >= CHANNELS)
        return -2;
    for (channel = first; channel < CHANNELS; channel++) {
        int value = read_sensor(channel);
        if (value < 0 || value > 1000)
            return -1;
        sum = sum + value;
    }
    return sum / (CHANNELS - first);
}
