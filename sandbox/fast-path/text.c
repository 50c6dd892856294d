#include "text.h"

#include <stdio.h>
#include <string.h>

/* What is still to be read. */
struct cursor {
    const unsigned char *at, *end;
};

static bool take(struct cursor *cursor, const char *text) {
    size_t size = strlen(text);
    if ((size_t)(cursor->end - cursor->at) < size || memcmp(cursor->at, text, size) != 0) return false;
    cursor->at += size;
    return true;
}

/* A number as JSON writes it, without sign, fraction or exponent, from 1 to `most`. */
static bool take_number(struct cursor *cursor, uint64_t most, uint64_t *number) {
    uint64_t value = 0;
    const unsigned char *first = cursor->at;
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
        value = value * 10 + (uint64_t)(*cursor->at++ - '0');
        if (value == 0 || value > most) return false;
    }
    *number = value;
    return cursor->at > first;
}

/* The character that stands behind a backslash, 0 for `u` and for what JSON does not know. */
static char unescaped(unsigned char letter) {
    switch (letter) {
    case '"': return '"';
    case '\\': return '\\';
    case '/': return '/';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
    }
}

/* The rest of a JSON string, up to and with its closing quote; ASCII only, so that nothing can be wrong with its encoding. */
static bool take_code(struct cursor *cursor, struct request *request) {
    uint32_t size = 0;
    while (cursor->at < cursor->end && size < LONGEST_CODE) {
        unsigned char byte = *cursor->at++;
        if (byte == '"') {
            request->code_size = size;
            return true;
        }
        if (byte < ' ' || byte > '~') return false;
        if (byte == '\\') {
            if (cursor->at == cursor->end) return false;
            byte = (unsigned char)unescaped(*cursor->at++);
            if (byte == 0) return false;
        }
        request->code[size++] = (char)byte;
    }
    return false;
}

static uint32_t get_u32(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void put_u32(char *bytes, uint32_t value) {
    for (int index = 0; index < 4; index += 1) bytes[index] = (char)(value >> (24 - 8 * index));
}

bool parse_request(const char *frame, size_t size, struct request *request) {
    const unsigned char *bytes = (const unsigned char *)frame;
    uint64_t timeout = 0;
    if (size < 8 || get_u32(bytes) != size - 4 || get_u32(bytes + 4) != size - 8) return false;
    struct cursor cursor = {bytes + 8, bytes + size};
    if (!take(&cursor, "{\"id\":") || !take_number(&cursor, (uint64_t)1 << 53, &request->id)) return false;
    if (!take(&cursor, ",\"verb\":\"execute\",\"language\":\"python\",\"code\":\"") || !take_code(&cursor, request)) return false;
    if (!take(&cursor, ",\"timeoutMs\":") || !take_number(&cursor, 86400000, &timeout)) return false;
    request->timeout_ms = (uint32_t)timeout;
    return take(&cursor, "}") && cursor.at == cursor.end;
}

/* A JSON string that means the same to whoever reads it: printable ASCII and the short escapes. */
static bool take_plain_string(struct cursor *cursor) {
    if (!take(cursor, "\"")) return false;
    while (cursor->at < cursor->end) {
        unsigned char byte = *cursor->at++;
        if (byte == '"') return true;
        if (byte < ' ' || byte > '~') return false;
        if (byte == '\\' && (cursor->at == cursor->end || unescaped(*cursor->at++) == 0)) return false;
    }
    return false;
}

bool is_plain_reply(const char *frame, size_t size, uint32_t number, struct slice *value) {
    const unsigned char *bytes = (const unsigned char *)frame;
    uint64_t execution = 0;
    if (size < 4 || get_u32(bytes) != size - 4) return false;
    struct cursor cursor = {bytes + 4, bytes + size};
    if (!take(&cursor, "{\"execution\":") || !take_number(&cursor, UINT32_MAX, &execution) || execution != number) return false;
    if (!take(&cursor, ",\"outcome\":\"ok\",\"value\":")) return false;
    value->start = (const char *)cursor.at;
    if (!take(&cursor, "null") && !take_plain_string(&cursor)) return false;
    value->size = (size_t)((const char *)cursor.at - value->start);
    return take(&cursor, ",\"exception\":null,\"stale\":[],\"background\":[]}") && cursor.at == cursor.end;
}

size_t make_answer(
    char *frame, size_t room, uint64_t id, struct slice value, uint64_t memory, double seconds, uint32_t epoch) {
    static const char form[] =
        "{\"id\":%llu,\"event\":\"done\",\"status\":\"ok\",\"value\":%.*s,\"exception\":null,\"memoryBytes\":%llu,"
        "\"durationMs\":%.3f,\"stale\":[],\"background\":[],\"epoch\":%u,\"stdout\":{\"text\":\"\",\"droppedBytes\":0},"
        "\"stderr\":{\"text\":\"\",\"droppedBytes\":0}}";
    if (value.size >= room) return 0;
    int size = snprintf(frame + 8, room - 8, form, (unsigned long long)id, (int)value.size, value.start,
                        (unsigned long long)memory, seconds * 1000, epoch);
    if (size < 0 || (size_t)size >= room - 8) return 0;
    put_u32(frame, 4 + (uint32_t)size);
    put_u32(frame + 4, (uint32_t)size);
    return 8 + (size_t)size;
}
