#include <vector>
static int checked(int x) { if (x > 100) throw x; if (x < -100) throw 'n'; return x; }
extern "C" int thrown(signed char x) {
    try { return checked(x) == 5; }
    catch (int big) { return x == 111 ? 20 : 21; }
    catch (...) { return 30; }
}
extern "C" int vectors(signed char x) {
    std::vector<int> v;
    for (int i = 0; i < 3; i++) v.push_back(x + i);
    v.insert(v.begin(), 4);
    return v[2] == 9 ? 1 : v.back() > 120;
}
