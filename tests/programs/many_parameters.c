// entry: f
// input: unsigned char a0: 0 5
// input: unsigned char d4: 0 7
// claim: paths
