// entry: poll
// input: unsigned char limit: 0 100 255
// stub: unsigned char read_sensor: 0..255
// about: an undefined function returns a fresh input at each call
unsigned char read_sensor(void);
int poll(unsigned char limit) {
    unsigned char a = read_sensor(), b = read_sensor();
    if (a > limit)
        return 1;
    return b == 250 ? 2 : a == b ? 3 : 0;
}
