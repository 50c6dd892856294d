/* The texts of the fast path: read and written by exact pattern, never by search. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_CODE = 4096 };

struct slice {
    const char *start;
    size_t size;
};

struct request {
    uint64_t id;
    uint32_t timeout_ms;
    uint32_t code_size;
    char code[LONGEST_CODE];
};

/* Takes a frame that is an `execute` of Python as the host writes it; false for every other. */
bool parse_request(const char *frame, size_t size, struct request *request);

/* True for a reply to execution `number` that ended well, and says nothing but a value: `null` or a string of plain ASCII. */
bool is_plain_reply(const char *frame, size_t size, uint32_t number, struct slice *value);

/* Writes the host's `done` frame; its length, or 0 when it does not fit. */
size_t make_answer(
    char *frame, size_t room, uint64_t id, struct slice value, uint64_t memory, double seconds, uint32_t epoch);

void put_u32(char *bytes, uint32_t value);

#endif
