/* A condition that no solver can look into: `hash` stays concrete with --uninstrumented. veer then runs it, and uses the value
 * that it returned (x is set to it), but does not claim that it has seen every path.
 *
 *     veer test examples/obscure.c --entry obscure --uninstrumented hash
 */
static unsigned int hash(unsigned int y)
{
    unsigned int h = 2166136261u;
    for (int i = 0; i < 4; i++) {
        h = (h ^ (y & 0xff)) * 16777619u;
        y >>= 8;
    }
    return h;
}

int obscure(unsigned int x, unsigned int y)
{
    if (x == hash(y))
        return -1;
    return 0;
}
