// entry: rare
// input: unsigned short i: 0 4710..4712 5000 65535
// claim: none
// about: a table that is too long for one path per index; which entry is rare is not in the code
static unsigned char table[5000];
int rare(unsigned short i) {
    for (int k = 0; k < 5000; k++)
        table[k] = (unsigned char)(k * k % 251);
    if (i >= 5000)
        return -1;
    table[4711] = 255;
    return table[i] == 255 ? 1 : 0;
}
