/* a * b + c with one rounding, to the nearest, ties to even.

       a * b     1xxxxxxx xxxxxxxx                two numbers below 2^125, the first bit of each at 124;
       c               1x xxxxxxxx xxxxxS         what falls off the smaller one is its last bit S (sticky)
       sum       1xxxxxxx xxxxxxxx xxxxxS         ─► the format's bits, half, and whether there is more

   Behind a shift that loses bits the sum has 123 bits or more, so that S lies far below the half of its last place. */
#include "fused.h"
#include "bits.h"
#include "floats.h"
#include "veer_wire.h"

#define FIRST_BIT 124

/* A number that is not 0: its sign, and magnitude * 2^exponent. */
struct exact {
    unsigned __int128 magnitude;
    int exponent;
    int is_negative;
};

/* The number of a format: bits of its fraction, and the exponent of the least one. */
struct format {
    uint32_t fraction;
    int least;
    uint64_t infinity;
};

static struct format format_of(uint32_t width)
{
    return width == 32 ? (struct format){23, -149, 0x7f800000ull} : (struct format){52, -1074, 0x7ffull << 52};
}

static struct exact unpacked(uint32_t width, uint64_t bits)
{
    struct format format = format_of(width);
    uint64_t biased = (bits & ~sign_bit(width)) >> format.fraction, fraction = bits & mask_of(format.fraction);
    struct exact number = {fraction, format.least, (bits & sign_bit(width)) != 0};
    if (biased) {
        number.magnitude |= 1ull << format.fraction;
        number.exponent += (int)biased - 1;
    }
    return number;
}

static int top_bit(unsigned __int128 magnitude)
{
    uint64_t high = (uint64_t)(magnitude >> 64), low = (uint64_t)magnitude;
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low);
}

/* The same number with its first bit at FIRST_BIT, which is not above it. */
static struct exact raised(struct exact number)
{
    int by = FIRST_BIT - top_bit(number.magnitude);
    number.magnitude <<= by;
    number.exponent -= by;
    return number;
}

static unsigned __int128 lowered(unsigned __int128 magnitude, int by)
{
    if (by > FIRST_BIT)
        return 1;
    unsigned __int128 lost = magnitude & (((unsigned __int128)1 << by) - 1);
    return magnitude >> by | (lost != 0);
}

/* The sum; its magnitude is 0 where the two are each other's negative. */
static struct exact added(struct exact a, struct exact b)
{
    if (a.exponent < b.exponent) {
        struct exact other = a;
        a = b;
        b = other;
    }
    b.magnitude = lowered(b.magnitude, a.exponent - b.exponent);
    if (a.is_negative == b.is_negative) {
        a.magnitude += b.magnitude;
    } else if (a.magnitude >= b.magnitude) {
        a.magnitude -= b.magnitude;
    } else {
        a.magnitude = b.magnitude - a.magnitude;
        a.is_negative = b.is_negative;
    }
    return a;
}

static uint64_t rounded(uint32_t width, struct exact number)
{
    struct format format = format_of(width);
    int drop = top_bit(number.magnitude) - (int)format.fraction, least = format.least - number.exponent;
    drop = drop > least ? drop : least;
    uint64_t kept, sign = number.is_negative ? sign_bit(width) : 0;
    if (drop <= 0) {
        kept = (uint64_t)(number.magnitude << -drop);
    } else if (drop > 127) {
        kept = 0;
    } else {
        unsigned __int128 half = (unsigned __int128)1 << (drop - 1), rest = number.magnitude & ((half << 1) - 1);
        kept = (uint64_t)(number.magnitude >> drop);
        kept += rest > half || (rest == half && (kept & 1));
    }
    /* A normal number has its first bit above the fraction: adding it makes the exponent one more, as does a carry. */
    int64_t place = (int64_t)number.exponent + drop - format.least;
    uint64_t bits = kept + ((uint64_t)place << format.fraction);
    return sign | (place > 0x7ff || bits > format.infinity ? format.infinity : bits);
}

uint64_t veer_fused(uint32_t width, uint64_t a, uint64_t b, uint64_t c)
{
    struct format format = format_of(width);
    uint64_t infinity = format.infinity, size = ~sign_bit(width) & mask_of(width), given[3] = {a, b, c};
    for (uint32_t i = 0; i < 3; i++) { /* here, for compilers may change which of two has its way in a sum */
        if ((given[i] & size) > infinity)
            return given[i] | 1ull << (format.fraction - 1);
    }
    int is_finite = (a & size) < infinity && (b & size) < infinity;
    if ((c & size) == infinity && is_finite)
        return c;
    if (!is_finite || !(a & size) || !(b & size)) /* exact in two steps */
        return veer_apply_float(VEER_OP_FADD, width, width, veer_apply_float(VEER_OP_FMUL, width, width, a, b), c);
    struct exact x = unpacked(width, a), y = unpacked(width, b), z = unpacked(width, c);
    struct exact product = {x.magnitude * y.magnitude, x.exponent + y.exponent, x.is_negative != y.is_negative};
    if (!z.magnitude)
        return rounded(width, product);
    struct exact sum = added(raised(product), raised(z));
    return sum.magnitude ? rounded(width, sum) : 0;
}
