// entry: many
// input: int x: -2147483648 -1..100 2147483647
// paths: 82
// about: 80 equalities on one int and then x < 80: more holes than a small table holds
int many(int x) {
    if (x == 0)
        return 0;
    if (x == 1)
        return 1;
    if (x == 2)
        return 2;
    if (x == 3)
        return 3;
    if (x == 4)
        return 4;
    if (x == 5)
        return 5;
    if (x == 6)
        return 6;
    if (x == 7)
        return 7;
    if (x == 8)
        return 8;
    if (x == 9)
        return 9;
    if (x == 10)
        return 10;
    if (x == 11)
        return 11;
    if (x == 12)
        return 12;
    if (x == 13)
        return 13;
    if (x == 14)
        return 14;
    if (x == 15)
        return 15;
    if (x == 16)
        return 16;
    if (x == 17)
        return 17;
    if (x == 18)
        return 18;
    if (x == 19)
        return 19;
    if (x == 20)
        return 20;
    if (x == 21)
        return 21;
    if (x == 22)
        return 22;
    if (x == 23)
        return 23;
    if (x == 24)
        return 24;
    if (x == 25)
        return 25;
    if (x == 26)
        return 26;
    if (x == 27)
        return 27;
    if (x == 28)
        return 28;
    if (x == 29)
        return 29;
    if (x == 30)
        return 30;
    if (x == 31)
        return 31;
    if (x == 32)
        return 32;
    if (x == 33)
        return 33;
    if (x == 34)
        return 34;
    if (x == 35)
        return 35;
    if (x == 36)
        return 36;
    if (x == 37)
        return 37;
    if (x == 38)
        return 38;
    if (x == 39)
        return 39;
    if (x == 40)
        return 40;
    if (x == 41)
        return 41;
    if (x == 42)
        return 42;
    if (x == 43)
        return 43;
    if (x == 44)
        return 44;
    if (x == 45)
        return 45;
    if (x == 46)
        return 46;
    if (x == 47)
        return 47;
    if (x == 48)
        return 48;
    if (x == 49)
        return 49;
    if (x == 50)
        return 50;
    if (x == 51)
        return 51;
    if (x == 52)
        return 52;
    if (x == 53)
        return 53;
    if (x == 54)
        return 54;
    if (x == 55)
        return 55;
    if (x == 56)
        return 56;
    if (x == 57)
        return 57;
    if (x == 58)
        return 58;
    if (x == 59)
        return 59;
    if (x == 60)
        return 60;
    if (x == 61)
        return 61;
    if (x == 62)
        return 62;
    if (x == 63)
        return 63;
    if (x == 64)
        return 64;
    if (x == 65)
        return 65;
    if (x == 66)
        return 66;
    if (x == 67)
        return 67;
    if (x == 68)
        return 68;
    if (x == 69)
        return 69;
    if (x == 70)
        return 70;
    if (x == 71)
        return 71;
    if (x == 72)
        return 72;
    if (x == 73)
        return 73;
    if (x == 74)
        return 74;
    if (x == 75)
        return 75;
    if (x == 76)
        return 76;
    if (x == 77)
        return 77;
    if (x == 78)
        return 78;
    if (x == 79)
        return 79;
    return x < 80 ? -1 : -2;
}
