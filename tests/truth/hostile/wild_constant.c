// entry: poke
// outcomes: wild-pointer
// about: writes into the addresses where an engine keeps its own memory
static void poke_at(unsigned long address) { *(long *)address = -1; }
int poke(unsigned char x) {
    switch (x) {
    case 1:
        poke_at(0x100000000000ul);
        break;
    case 2:
        poke_at(0x200000000000ul);
        break;
    case 3:
        poke_at(0x200010000000ul);
        break;
    case 4:
        poke_at(0x300000000000ul);
        break;
    case 5:
        poke_at(0x7f000000ul);
        break;
    case 6:
        poke_at(0x7d000000ul);
        break;
    case 7:
        poke_at(0x80000000ul);
        break;
    default:
        return 9;
    }
    return 10;
}
