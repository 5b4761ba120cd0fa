// entry: grade
// input: float x: -1.5 0.0 0.25 0.5 2.0 100.0
// claim: paths
int grade(float x) {
    if (x < 0.0f)
        return 0;
    if (x <= 0.5f)
        return x == 0.25f ? 1 : 2;
    return x > 50.0f ? 3 : 4;
}
