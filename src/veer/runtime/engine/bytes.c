/* The changes are those of libFuzzer and of AFL's havoc stage. */
#include "bytes.h"
#include "dictionary.h"
#include "random.h"
#include <string.h>

enum { MOST_INSERTED = 16, MOST_SHUFFLED = 8, MOST_ADDED = 16, DIGITS = 20 };

/* A place of the text, or, if `with_end`, right behind it. */
static uint32_t place_in(const struct text *text, int with_end)
{
    uint32_t end = text->size + (with_end && text->size < text->room);
    return random_below(end ? end : 1);
}

/* Makes room for so many bytes in the middle; what does not fit is lost. How many there is room for. */
static uint32_t open_gap(struct text *text, uint32_t at, uint32_t length)
{
    if (at + length > text->room)
        length = text->room - at;
    uint32_t moved = text->size > at ? text->size - at : 0;
    if (at + length + moved > text->room)
        moved = text->room - at - length;
    memmove(text->bytes + at + length, text->bytes + at, moved);
    text->size = at + length + moved;
    return length;
}

static void close_gap(struct text *text, uint32_t at, uint32_t length)
{
    if (at + length > text->size)
        length = text->size - at;
    memmove(text->bytes + at, text->bytes + at + length, text->size - at - length);
    memset(text->bytes + text->size - length, 0, length);
    text->size -= length;
}

/* Bytes into the text: between those that are there, or in their place. */
static void put(struct text *text, const uint8_t *bytes, uint32_t length)
{
    uint32_t at = place_in(text, 1);
    if (length > text->room - at)
        length = text->room - at;
    if (random_bits() >> 63)
        length = open_gap(text, at, length);
    memmove(text->bytes + at, bytes, length);
    if (at + length > text->size)
        text->size = at + length;
}

static uint8_t new_byte(const struct text *text)
{
    uint32_t words = VEER_CONTROL->word_count;
    switch (random_below(8)) {
    case 0: return (uint8_t)random_bits();
    case 1: return (uint8_t)(' ' + random_below(95));
    case 2:
    case 3: return text->size ? text->bytes[random_below(text->size)] : '0';
    default: break;
    }
    const struct veer_word *word = words ? &WORDS[random_below(words)] : NULL;
    return word && word->length ? word->bytes[random_below(word->length)] : (uint8_t)random_bits();
}

static void change_byte(struct text *text)
{
    uint32_t at = place_in(text, 1);
    text->bytes[at] = new_byte(text);
    if (at >= text->size)
        text->size = at + 1;
}

static void insert_bytes(struct text *text)
{
    uint8_t bytes[MOST_INSERTED];
    uint32_t length = random_bits() >> 63 ? 1 : 1 + random_below(MOST_INSERTED);
    memset(bytes, new_byte(text), sizeof bytes);
    if (random_bits() >> 63)
        for (uint32_t k = 0; k < length; k++)
            bytes[k] = new_byte(text);
    uint32_t at = place_in(text, 1);
    length = open_gap(text, at, length);
    memcpy(text->bytes + at, bytes, length);
}

static void shuffle(struct text *text)
{
    uint32_t at = place_in(text, 0), length = 2 + random_below(MOST_SHUFFLED - 1);
    if (at + length > text->size)
        return;
    for (uint32_t k = length - 1; k > 0; k--) {
        uint32_t i = random_below(k + 1);
        uint8_t kept = text->bytes[at + k];
        text->bytes[at + k] = text->bytes[at + i];
        text->bytes[at + i] = kept;
    }
}

static int is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* A decimal number somewhere becomes another one with as many digits. */
static void change_digits(struct text *text)
{
    uint32_t at = place_in(text, 0), end;
    while (at < text->size && !is_digit(text->bytes[at]))
        at++;
    uint64_t number = 0;
    for (end = at; end < text->size && end - at < DIGITS && is_digit(text->bytes[end]); end++)
        number = 10 * number + (text->bytes[end] - '0');
    switch (random_below(5)) {
    case 0: number++; break;
    case 1: number--; break;
    case 2: number /= 2; break;
    case 3: number *= 2; break;
    default: number = random_bits(); break;
    }
    while (end > at) {
        text->bytes[--end] = (uint8_t)('0' + number % 10);
        number /= 10;
    }
}

/* Two, four or eight bytes as one number. */
static void change_number(struct text *text)
{
    static const uint64_t telling[] = {0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, ~0ull};
    uint32_t length = 2u << random_below(3), at = place_in(text, 0);
    uint64_t number = 0;
    int is_turned = (int)(random_bits() >> 63);
    if (at + length > text->size)
        return;
    for (uint32_t k = 0; k < length; k++)
        number |= (uint64_t)text->bytes[at + (is_turned ? length - 1 - k : k)] << (8 * k);
    switch (random_below(3)) {
    case 0: number += random_below(2 * MOST_ADDED + 1) - (uint64_t)MOST_ADDED; break;
    case 1: number = telling[random_below(sizeof telling / sizeof *telling)]; break;
    default: number = random_below(text->size + 1); break;
    }
    for (uint32_t k = 0; k < length; k++)
        text->bytes[at + (is_turned ? length - 1 - k : k)] = (uint8_t)(number >> (8 * k));
}

static void put_word(struct text *text)
{
    uint32_t count = VEER_CONTROL->word_count, texts = VEER_CONTROL->text_count;
    if (!count)
        return;
    const struct veer_word *word = &WORDS[random_below(texts && random_bits() >> 63 ? texts : count)];
    put(text, word->bytes, word->length);
}

/* A part of a text, which may be the same one. */
static void put_part(struct text *text, const struct text *from)
{
    uint8_t part[64];
    if (!from->size)
        return;
    uint32_t at = random_below(from->size), length = 1 + random_below(from->size - at < sizeof part ? from->size - at : (uint32_t)sizeof part);
    if (at + length > from->size)
        length = from->size - at;
    memcpy(part, from->bytes + at, length);
    put(text, part, length);
}

void veer_change_text(struct text *text, const struct text *other)
{
    uint32_t at = place_in(text, 0);
    switch (random_below(16)) {
    case 0:
    case 1: close_gap(text, at, 1 + random_below(random_bits() >> 63 ? 2 : text->size)); break;
    case 2:
    case 3:
    case 4: change_byte(text); break;
    case 5: text->bytes[at] ^= (uint8_t)(1u << random_below(8)); break;
    case 6: text->bytes[at] += (uint8_t)(random_below(2 * MOST_ADDED + 1) - MOST_ADDED); break;
    case 7:
    case 8: insert_bytes(text); break;
    case 9: shuffle(text); break;
    case 10: change_digits(text); break;
    case 11: change_number(text); break;
    case 12:
    case 13: put_word(text); break;
    case 14: put_part(text, text); break;
    default: put_part(text, other); break;
    }
    if (at >= text->size && text->bytes[at])
        text->size = at + 1;
}
