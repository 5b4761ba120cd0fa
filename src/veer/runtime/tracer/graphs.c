/* What an entry leaves behind in a language whose objects know their classes, as text behind its result, for the expectations of tests.

       R #1                                     what it returns
       T @1                                     the object that it was called on
       @1 F pkg.Node pkg.Node#value=I7 pkg.Node#next=#1
       #1 A [I I1 I2

   @1 is an input object by its number, #1 one that the call made; numbers are bits in hexadecimal. S61.62 is a text, bI5 a box, epkg.Color:52.45.44 a
   constant, ? what is not looked into. Nothing is decided, and nothing becomes an event: memory is read as it is. */
#include <stdio.h>
#include <string.h>

#include "chunks.h"
#include "input_objects.h"
#include "leaf_state.h"
#include "memory_map.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"

enum { MOST_OBJECTS = 500, MOST_TEXT = 12000, MOST_ELEMENTS = 1000, LENGTH_AT = 8, ELEMENTS_AT = 16, LONGEST = 64 };

struct graph {
    const struct veer_class *classes;
    uint32_t count, made;
    uint32_t length; /* of the text so far; MOST_TEXT: it is too long */
    char *text;
    uint32_t objects[MOST_OBJECTS]; /* those that the call made, in the order in which they were found */
};

static void put(struct graph *graph, const char *text) {
    uint32_t size = (uint32_t)strlen(text);
    if (graph->length + size >= MOST_TEXT) {
        graph->length = MOST_TEXT;
        return;
    }
    memcpy(graph->text + graph->length, text, size);
    graph->length += size;
}

static uint64_t read_number(uint64_t address, uint32_t size) {
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)address, size);
    return value;
}

static uint32_t size_of(char letter) {
    switch (letter) {
    case 'Z':
    case 'B': return 1;
    case 'C':
    case 'S': return 2;
    case 'I':
    case 'F': return 4;
    default: return 8;
    }
}

static void put_number(struct graph *graph, char letter, uint64_t bits) {
    char text[LONGEST];
    int is_nan = letter == 'F' ? (bits & 0x7fffffff) > 0x7f800000 : letter == 'D' && (bits & ~(1ull << 63)) > 0x7ffull << 52;
    if (is_nan) snprintf(text, sizeof text, "%cnan", letter);
    else snprintf(text, sizeof text, "%c%llx", letter, (unsigned long long)bits);
    put(graph, text);
}

/* The class of an object; NULL: there is none at that address. */
static const struct veer_class *class_of(const struct graph *graph, uint64_t object) {
    if (object < VEER_NULL_END || object + ELEMENTS_AT >= VEER_LOW_END) return NULL;
    uint64_t number = read_number(object, 4);
    return number && number < graph->count ? &graph->classes[number] : NULL;
}

/* Whether it holds what a run looked at. */
static int is_told(const struct veer_input_object *object) {
    return object->is_filled && !object->is_header && CHUNKS->of[object->chunk].state == VEER_CHUNK_LIVE;
}

/* The number of the input object that lies there; 0: it is none. */
static uint32_t input_number(uint64_t address, int *is_filled) {
    uint32_t number = 0;
    for (uint32_t k = 0; k < INPUT_OBJECTS->count; k++) {
        const struct veer_input_object *object = &INPUT_OBJECTS->of[k];
        if (LEAF_STATES[object->leaf].alternative != 1) continue;
        number++;
        if (veer_object_address(object) != address) continue;
        *is_filled = is_told(object);
        return number;
    }
    return 0;
}

static void put_units(struct graph *graph, const struct veer_class *class, uint64_t object) {
    uint64_t array = read_number(object + class->members[0].offset, 8);
    uint32_t size = read_number(object + class->members[1].offset, 1) ? 2 : 1, count = 0;
    if (class_of(graph, array)) count = (uint32_t)read_number(array + LENGTH_AT, 4) / size;
    for (uint32_t k = 0; k < count && graph->length < MOST_TEXT; k++) {
        char text[LONGEST];
        snprintf(text, sizeof text, k ? ".%llx" : "%llx", (unsigned long long)read_number(array + ELEMENTS_AT + (uint64_t)k * size, size));
        put(graph, text);
    }
}

static void put_reference(struct graph *graph, uint64_t object) {
    char text[LONGEST];
    int is_filled = 1;
    if (!object) {
        put(graph, "null");
        return;
    }
    uint32_t number = input_number(object, &is_filled);
    const struct veer_class *class = is_filled ? class_of(graph, object) : NULL;
    if (class && class->kind == VEER_CLASS_BOX) {
        char letter = class->members[0].letter;
        put(graph, "b");
        put_number(graph, letter, read_number(object + class->members[0].offset, size_of(letter)));
    } else if (class && class->kind == VEER_CLASS_TEXT) {
        put(graph, "S");
        put_units(graph, class, object);
    } else if (class && class->kind == VEER_CLASS_CONSTANT) {
        uint64_t name = read_number(object + class->members[0].offset, 8);
        const struct veer_class *string = class_of(graph, name);
        put(graph, "e");
        put(graph, class->name);
        put(graph, ":");
        if (string && string->kind == VEER_CLASS_TEXT) put_units(graph, string, name);
    } else if (number) {
        snprintf(text, sizeof text, "@%u", number);
        put(graph, text);
    } else if (!class || class->kind == VEER_CLASS_OPAQUE) {
        put(graph, "?");
    } else {
        uint32_t k = 0;
        while (k < graph->made && graph->objects[k] != (uint32_t)object) k++;
        if (k == MOST_OBJECTS) {
            graph->length = MOST_TEXT;
            return;
        }
        if (k == graph->made) graph->objects[graph->made++] = (uint32_t)object;
        snprintf(text, sizeof text, "#%u", k + 1);
        put(graph, text);
    }
}

static void put_value(struct graph *graph, char letter, uint64_t address) {
    if (letter == 'L') put_reference(graph, read_number(address, 8));
    else put_number(graph, letter, read_number(address, size_of(letter)));
}

static void put_elements(struct graph *graph, char letter, uint64_t array, uint64_t count) {
    if (count > MOST_ELEMENTS) graph->length = MOST_TEXT;
    for (uint64_t k = 0; k < count && graph->length < MOST_TEXT; k++) {
        put(graph, " ");
        put_value(graph, letter, array + ELEMENTS_AT + k * size_of(letter));
    }
}

/* A line for an object that others are said to lead to. */
static void put_object(struct graph *graph, const char *name, uint64_t object) {
    const struct veer_class *class = class_of(graph, object);
    if (!class || class->kind == VEER_CLASS_OPAQUE || class->kind == VEER_CLASS_TEXT || class->kind == VEER_CLASS_BOX || class->kind == VEER_CLASS_CONSTANT) return;
    put(graph, name);
    put(graph, class->kind == VEER_CLASS_FIELDS ? " F " : " A ");
    put(graph, class->name);
    if (class->kind == VEER_CLASS_ARRAY) {
        put_elements(graph, class->letter, object, read_number(object + LENGTH_AT, 4));
    } else if (class->kind == VEER_CLASS_LIST) {
        uint64_t array = read_number(object + class->members[0].offset, 8);
        if (class_of(graph, array)) put_elements(graph, 'L', array, read_number(object + class->members[1].offset, 4));
    } else {
        for (uint32_t k = 0; k < class->count && graph->length < MOST_TEXT; k++) {
            put(graph, " ");
            put(graph, class->members[k].name);
            put(graph, "=");
            put_value(graph, class->members[k].letter, object + class->members[k].offset);
        }
    }
    put(graph, "\n");
}

static void put_inputs(struct graph *graph) {
    uint32_t number = 0;
    for (uint32_t k = 0; k < INPUT_OBJECTS->count && graph->length < MOST_TEXT; k++) {
        const struct veer_input_object *object = &INPUT_OBJECTS->of[k];
        char name[LONGEST];
        if (LEAF_STATES[object->leaf].alternative != 1) continue;
        snprintf(name, sizeof name, "@%u", ++number);
        if (is_told(object)) put_object(graph, name, veer_object_address(object));
    }
}

void veer_describe(const void *result, const void *object, const struct veer_class *classes, uint32_t count) {
    struct veer_control *control = VEER_CONTROL;
    VEER_HOT->callee = 0;
    if (!control->record || control->result_length + MOST_TEXT > VEER_RESULT_CAPACITY) return;
    struct graph graph = {.classes = classes, .count = count, .text = (char *)VEER_REGION(uint8_t, RESULT) + control->result_length};
    put(&graph, "R ");
    put_reference(&graph, (uint64_t)(uintptr_t)result);
    put(&graph, "\nT ");
    put_reference(&graph, (uint64_t)(uintptr_t)object);
    put(&graph, "\n");
    put_inputs(&graph);
    for (uint32_t k = 0; k < graph.made && graph.length < MOST_TEXT; k++) {
        char name[LONGEST];
        snprintf(name, sizeof name, "#%u", k + 1);
        put_object(&graph, name, graph.objects[k]);
    }
    if (graph.length < MOST_TEXT) control->result_length += graph.length;
}
