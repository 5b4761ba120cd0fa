/* Thirty small functions of the kind that firmware shares: what a whole command takes is measured on them. */
#ifndef TOOLBOX_H
#define TOOLBOX_H

#include <stddef.h>
#include <stdint.h>

#define QUEUE_SIZE 4
#define LEVELS 3

enum status { STATUS_OK, STATUS_FULL, STATUS_EMPTY, STATUS_RANGE };
struct queue { uint8_t data[QUEUE_SIZE]; uint8_t head, count; };
struct point { int x, y; };
struct span { int low, high; };
struct node { int value; struct node *next; };

int clamp(int value, int low, int high);
enum status queue_put(struct queue *queue, uint8_t value);
enum status queue_get(struct queue *queue, uint8_t *value);
int queue_peek(const struct queue *queue, unsigned index);
unsigned popcount(uint8_t bits);
int parity(uint8_t bits);
uint8_t rotate(uint8_t bits, unsigned by);
uint8_t nibble_of(char digit);
int hex_byte(const char *text);
int is_leap(int year);
int days_in(int month, int year);
int day_of_year(int day, int month, int year);
size_t length_of(const char *text);
int count_char(const char *text, char wanted);
int starts_with(const char *text, const char *head);
const char *skip_blanks(const char *text);
int parse_digit(const char *text, int *value);
uint8_t checksum(const uint8_t *data, size_t size);
int is_sorted(const int *data, size_t size);
int largest(const int *data, size_t size);
int quadrant(const struct point *point);
int inside(const struct span *span, int value);
int overlap(const struct span *one, const struct span *other);
int list_sum(const struct node *list);
const struct node *list_find(const struct node *list, int value);
int level_of(int reading);
int debounce(int level);
int saturated_add(int one, int other);
int compare(int one, int other);
int step_towards(int from, int to);

#endif
