#include "mutate.h"
#include "bits.h"
#include "bytes.h"
#include "dictionary.h"
#include "random.h"
#include "tracks.h"
#include "veer_shared.h"
#include <string.h>

enum { LONGEST_TEXT = 1 << 14, MOST_CHANGES_BITS = 4, MOST_ADDED = 16, ALTERNATIVES = 4 };

struct mutation_state {
    uint8_t text[2][LONGEST_TEXT];
};
ENGINE_STATE_FITS(mutation);
#define MUTATION ENGINE_STATE(mutation)

int veer_mutate_begin(void)
{
    return veer_tracks_begin();
}

static uint64_t read_leaf(const uint8_t *input, uint32_t length, uint32_t leaf)
{
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    uint64_t value = 0;
    if (record->input_offset + record->width / 8u <= length)
        memcpy(&value, input + record->input_offset, record->width / 8u);
    return value;
}

/* Lengthens an input by zeros to so many bytes. */
static uint32_t lengthen(uint8_t *input, uint32_t length, uint32_t end)
{
    if (end > length)
        memset(input + length, 0, end - length);
    return end > length ? end : length;
}

/* The input has zeros behind its end. */
static void write_leaf(uint8_t *input, uint32_t *length, uint32_t leaf, uint64_t value)
{
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    uint32_t end = record->input_offset + record->width / 8u;
    *length = lengthen(input, *length, end);
    memcpy(input + record->input_offset, &value, record->width / 8u);
}

static uint32_t used_of(const uint8_t *bytes, uint32_t size)
{
    while (size && !bytes[size - 1])
        size--;
    return size;
}

/* A track of bytes as a text of its own. */
static struct text gather(const struct track *track, const uint8_t *input, uint32_t length, uint8_t *bytes)
{
    struct text text = {bytes, 0, track->count < LONGEST_TEXT ? track->count : LONGEST_TEXT};
    for (uint32_t k = 0; k < text.room; k++)
        bytes[k] = (uint8_t)read_leaf(input, length, TRACKS->leaves[track->first + k]);
    text.size = used_of(bytes, text.room);
    return text;
}

/* The same where the bytes lie together: the input's own. */
static struct text within(const struct track *track, uint8_t *input, uint32_t length)
{
    uint32_t at = VEER_LEAVES[TRACKS->leaves[track->first]].input_offset, room = at < length ? length - at : 0;
    return (struct text){input + at, used_of(input + at, room < track->count ? room : track->count), track->count};
}

static void change(struct text *text, const struct text *other)
{
    for (uint32_t changes = 1u << random_below(MOST_CHANGES_BITS); changes; changes--)
        veer_change_text(text, other);
}

static uint32_t change_text(const struct track *track, uint8_t *input, uint32_t length, const uint8_t *other, uint32_t other_length)
{
    if (track->is_together) {
        length = lengthen(input, length, VEER_LEAVES[TRACKS->leaves[track->first]].input_offset + track->count);
        struct text whole = within(track, input, length), from = within(track, (uint8_t *)(uintptr_t)other, other_length);
        change(&whole, &from);
        return length;
    }
    struct text text = gather(track, input, length, MUTATION->text[0]), from = gather(track, other, other_length, MUTATION->text[1]);
    change(&text, &from);
    for (uint32_t k = 0; k < text.room; k++) {
        uint32_t leaf = TRACKS->leaves[track->first + k];
        if (read_leaf(input, length, leaf) != text.bytes[k])
            write_leaf(input, &length, leaf, text.bytes[k]);
    }
    return length;
}

static uint64_t number_of_word(void)
{
    uint64_t value = 0;
    uint32_t count = VEER_CONTROL->word_count;
    if (!count)
        return random_bits();
    const struct veer_word *word = &WORDS[random_below(count)];
    memcpy(&value, word->bytes, word->length < sizeof value ? word->length : sizeof value);
    return value;
}

static uint64_t new_float(uint32_t bytes)
{
    double number = (double)((int64_t)random_below(4001) - 2000) / 8;
    float narrow = (float)number;
    uint64_t bits = 0;
    memcpy(&bits, bytes == 4 ? (const void *)&narrow : (const void *)&number, bytes);
    return bits;
}

static uint64_t new_number(uint64_t old, const struct track *track, uint64_t others)
{
    static const uint64_t telling[] = {0, 1, 2, 16, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, ~0ull};
    if (track->kind == VEER_LEAFKIND_CHOICE)
        return random_below(ALTERNATIVES);
    if (track->kind == VEER_LEAFKIND_FLOAT && random_below(2))
        return new_float(track->bytes);
    switch (random_below(8)) {
    case 0: return random_bits() >> random_below(64);
    case 1: return telling[random_below(sizeof telling / sizeof *telling)];
    case 2: return old ^ 1ull << random_below(8 * track->bytes);
    case 3: return others;
    case 4: return 0 - old;
    case 5: return number_of_word();
    default: return old + random_below(2 * MOST_ADDED + 1) - (uint64_t)MOST_ADDED;
    }
}

static uint32_t change_numbers(const struct track *track, uint8_t *input, uint32_t length, const uint8_t *other, uint32_t other_length)
{
    uint32_t leaf = TRACKS->leaves[track->first + random_below(track->count)];
    uint32_t second = TRACKS->leaves[random_below(TRACKS->leaf_count)];
    uint64_t others = random_below(2) ? read_leaf(input, length, second) : read_leaf(other, other_length, leaf);
    write_leaf(input, &length, leaf, new_number(read_leaf(input, length, leaf), track, others));
    return length;
}

/* A track; every second time the more likely the more leaves it has. */
static const struct track *pick_track(void)
{
    uint32_t one = random_below(TRACKS->count);
    if (random_bits() >> 63) {
        uint32_t place = random_below(TRACKS->leaf_count);
        for (one = 0; one + 1 < TRACKS->count && place >= TRACKS->of[one].first + TRACKS->of[one].count;)
            one++;
    }
    return &TRACKS->of[one];
}

uint32_t veer_mutate(uint8_t *input, uint32_t length, const uint8_t *other, uint32_t other_length)
{
    for (uint32_t changes = 1u << random_below(TRACKS->count > 1 ? 3 : 1); changes; changes--) {
        const struct track *track = pick_track();
        int is_text = track->bytes == 1 && (track->kind == VEER_LEAFKIND_BYTE || track->kind == VEER_LEAFKIND_CHAR || track->count > 1);
        length = (is_text ? change_text : change_numbers)(track, input, length, other, other_length);
    }
    return length;
}
