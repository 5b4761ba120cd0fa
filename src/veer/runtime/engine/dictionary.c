#include "dictionary.h"
#include "executes.h"
#include "node.h"
#include "publish.h"
#include <string.h>

enum { LEAST_TEXT = 2, LONGEST = sizeof(((struct veer_word *)0)->bytes), MOST_TEXTS = VEER_WORDS_CAPACITY / 2, LARGEST_OBJECT = 1 << 16 };

static void add(const uint8_t *bytes, uint32_t length, uint32_t is_text, uint32_t most)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t count = control->word_count;
    if (count >= most)
        return;
    for (uint32_t k = 0; k < count; k++)
        if (WORDS[k].length == length && memcmp(WORDS[k].bytes, bytes, length) == 0)
            return;
    WORDS[count] = (struct veer_word){.length = length, .is_text = is_text};
    memcpy(WORDS[count].bytes, bytes, length);
    PUBLISH(control->word_count, count + 1);
}

static int is_printable(uint8_t byte)
{
    return byte >= ' ' && byte < 127;
}

/* The texts of one object: printable characters up to a NUL. */
static void learn_texts(const uint8_t *bytes, uint64_t size)
{
    uint64_t begin = 0;
    for (uint64_t k = 0; k < size; k++) {
        if (is_printable(bytes[k]))
            continue;
        uint64_t length = k - begin;
        if (bytes[k] == 0 && length >= LEAST_TEXT && length <= LONGEST)
            add(bytes + begin, (uint32_t)length, 1, MOST_TEXTS);
        begin = k + 1;
    }
}

static void learn_constants_of_unit(void)
{
    uint64_t size;
    const void *object;
    for (uint32_t k = 0; (object = veer_constant_object(k, &size)); k++)
        if (size > LEAST_TEXT && size <= LARGEST_OBJECT)
            learn_texts(object, size);
}

/* A number in as few bytes as hold it, in both orders. */
static void learn_number(uint64_t value, uint32_t width)
{
    uint32_t length = value >> 32 ? 8 : value >> 16 ? 4 : value >> 8 ? 2 : 1;
    uint8_t bytes[8], turned[8];
    if (length > (width + 7) / 8)
        length = (width + 7) / 8;
    for (uint32_t k = 0; k < length; k++)
        turned[length - 1 - k] = bytes[k] = (uint8_t)(value >> (8 * k));
    add(bytes, length, 0, VEER_WORDS_CAPACITY);
    if (length > 1)
        add(turned, length, 0, VEER_WORDS_CAPACITY);
}

static void learn_comparison(const struct veer_node *node)
{
    switch (node->op) {
    case VEER_OP_EQ:
    case VEER_OP_ULT:
    case VEER_OP_ULE:
    case VEER_OP_SLT:
    case VEER_OP_SLE: break;
    default: return;
    }
    const struct veer_node *left = node_of(node->a), *right = node_of(node->b), *constant = left->op == VEER_OP_CONST ? left : right;
    if (constant->op == VEER_OP_CONST && constant->width >= 8)
        learn_number(constant->value, constant->width);
}

void veer_learn_words(void)
{
    struct veer_control *control = VEER_CONTROL;
    if (!control->has_text_words) {
        learn_constants_of_unit();
        control->text_count = control->word_count;
    }
    control->has_text_words = 1;
    for (; control->mutation_nodes < control->node_count; control->mutation_nodes++)
        learn_comparison(node_of(control->mutation_nodes));
}
