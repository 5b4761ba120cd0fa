struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
struct Square : Shape { int side; explicit Square(int s) : side(s) {} int area() const override { return side * side; } };
struct Strip : Shape { int length; explicit Strip(int l) : length(l) {} int area() const override { return length; } };
template <typename T> static T larger(T a, T b) { return a < b ? b : a; }
extern "C" int shapes(signed char x) {
    Shape *shape = x > 0 ? static_cast<Shape *>(new Square(x)) : new Strip(x);
    int area = shape->area();
    delete shape;
    return area == 49 ? 1 : larger(area, -7) == -7 ? 2 : 3;
}
extern "C" int blocks(long n) {
    char *block = new char[n];
    block[0] = 1;
    int result = n > 3 ? block[0] : 2;
    delete[] block;
    return result;
}
