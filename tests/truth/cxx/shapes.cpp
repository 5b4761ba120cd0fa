#include <vector>
#include <new>
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square : Shape { int side; explicit Square(int s) : side(s) {} int area() const override { return side * side; } };
struct Strip : Shape { int length; explicit Strip(int l) : length(l) {} int area() const override { return length; } };
template <typename T> static T larger(T a, T b) { return a < b ? b : a; }
static int checked(int x) { if (x > 100) throw x; if (x < -100) throw 'n'; return x; }
extern "C" int shapes(signed char x) {
    Shape *shape = x > 0 ? static_cast<Shape *>(new Square(x)) : new Strip(x);
    int area = shape->area();
    delete shape;
    return area == 49 ? 1 : larger(area, -7) == -7 ? 2 : 3;
}
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
extern "C" int blocks(long n) {
    char *block = new char[n];
    block[0] = 1;
    int result = n > 3 ? block[0] : 2;
    delete[] block;
    return result;
}
