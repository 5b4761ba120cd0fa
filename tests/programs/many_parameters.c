// entry: f
// input: unsigned char p0: 0 5
// input: unsigned char p1: 0 125
// input: unsigned char p2: 0
// input: unsigned char p3: 0
// input: unsigned char p4: 0
// input: unsigned char p5: 0 125
// input: unsigned char p6: 0
// input: unsigned char p7: 0
// input: unsigned char p8: 0
// input: unsigned char p9: 0 125
// input: unsigned char p10: 0
// input: unsigned char p11: 0
// input: unsigned char p12: 0
// input: unsigned char p13: 0 125
// input: unsigned char p14: 0
// input: unsigned char p15: 0
// input: unsigned char p16: 0
// input: unsigned char p17: 0 125
// input: unsigned char p18: 0
// input: unsigned char p19: 0
// input: unsigned char p20: 0
// input: unsigned char p21: 0 125
// input: unsigned char p22: 0
// input: unsigned char p23: 0
// input: unsigned char p24: 0
// input: unsigned char p25: 0 125
// input: unsigned char p26: 0
// input: unsigned char p27: 0
// input: unsigned char p28: 0
// input: unsigned char p29: 0 125
// input: unsigned char p30: 0
// input: unsigned char p31: 0
// input: unsigned char p32: 0
// input: unsigned char p33: 0 7
// claim: paths
// about: the parameters behind the 32nd are inputs like the others
int f(unsigned char p0, unsigned char p1, unsigned char p2, unsigned char p3, unsigned char p4, unsigned char p5,
      unsigned char p6, unsigned char p7, unsigned char p8, unsigned char p9, unsigned char p10, unsigned char p11,
      unsigned char p12, unsigned char p13, unsigned char p14, unsigned char p15, unsigned char p16, unsigned char p17,
      unsigned char p18, unsigned char p19, unsigned char p20, unsigned char p21, unsigned char p22, unsigned char p23,
      unsigned char p24, unsigned char p25, unsigned char p26, unsigned char p27, unsigned char p28, unsigned char p29,
      unsigned char p30, unsigned char p31, unsigned char p32, unsigned char p33) {
    int rest = p1 + p5 + p9 + p13 + p17 + p21 + p25 + p29;
    if (p0 == 5)
        return p33 == 7 ? 1 : 2;
    return rest == 1000 ? 3 : 4;
}
