/*
 * The short way from a request to its answer, for the most frequent kind: a piece of Python that a resting runtime answers at
 * once, without output, exception or anything else to tell. It does for this kind exactly what the supervisor does in Python,
 * system call by system call, at a fifth of the time. Whatever is not of this kind goes back to Python: an unusual byte is no
 * error here, only a reason to return.
 *
 * The runtime's process belongs to user code. Nothing of its reply is used before all of it was held against `is_plain_reply`,
 * and what is passed on is copied as it stands, within the bounds of its buffer.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "fast_path.h"
#include "text.h"

/* A folder in /proc has one link for itself, one for `.`, and `task` one for each thread. */
enum { LINKS_OF_ONE_THREAD = 3 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Waits for one descriptor of the loop; false when there is anything else to do, or nothing in time. */
static bool wait_for(const struct fast_path *path, int descriptor, double seconds) {
    struct epoll_event events[2];
    int milliseconds = seconds < 0 ? -1 : (int)(seconds * 1000) + 1;
    return epoll_wait(path->loop, events, 2, milliseconds) == 1 && events[0].data.fd == descriptor &&
           events[0].events == EPOLLIN;
}

static bool read_text(int file, char *text, size_t size) {
    ssize_t length = pread(file, text, size - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    return length >= 0;
}

/* Sends what the driver knows as an execution; false when nothing was sent. */
static bool send_execution(struct fast_path *path, const struct request *request) {
    char frame[8 + sizeof request->code];
    put_u32(frame, 4 + request->code_size);
    put_u32(frame + 4, path->number);
    memcpy(frame + 8, request->code, request->code_size);
    /* Shorter than what a socket with an empty buffer takes at once, so all of it goes or nothing. */
    return send(path->channel, frame, 8 + request->code_size, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
}

/* True when the driver is idle for good, nobody else holds its pipes, nothing was printed, and the workspace is within its caps. */
static bool is_quiet(const struct fast_path *path, double time) {
    struct stat threads;
    struct statvfs room;
    char text[sizeof path->children_of_init];
    struct pollfd outputs[] = {{.fd = path->output, .events = POLLIN}, {.fd = path->error, .events = POLLIN}};
    /* In this order: what a child of the driver leaves behind when it ends becomes a child of the supervisor. */
    return fstat(path->threads, &threads) == 0 && threads.st_nlink == LINKS_OF_ONE_THREAD &&
           read_text(path->children, text, sizeof text) && text[0] == '\0' &&
           read_text(path->own_children, text, sizeof text) && strcmp(text, path->children_of_init) == 0 &&
           poll(outputs, 2, 0) == 0 && time < path->next_walk && fstatvfs(path->workspace, &room) == 0 &&
           (int64_t)(room.f_bfree * room.f_frsize) >= path->least_bytes && (int64_t)room.f_ffree >= path->least_files;
}

/* Resident memory of the driver in bytes, 0 when it is not known. */
static uint64_t resident_bytes(const struct fast_path *path) {
    char text[128];
    if (!read_text(path->memory, text, sizeof text)) return 0;
    char *second = strchr(text, ' ');
    return second == NULL ? 0 : strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* What may be done while nobody waits. */
static void clean_up(struct fast_path *path) {
    /* User code may have made the pipes non-blocking, for all who hold them. */
    fcntl(path->output_writer, F_SETFL, 0);
    fcntl(path->error_writer, F_SETFL, 0);
    if (path->kills >= 0) read_text(path->kills, path->kills_text, sizeof path->kills_text);
    path->number += 1;
}

/* From a request in `path->input` to its answer. */
static enum outcome exchange(struct fast_path *path) {
    struct request request;
    if (!parse_request(path->input, path->input_size, &request)) return INPUT;
    if (!send_execution(path, &request)) return INPUT;
    path->started = now();
    double patience = request.timeout_ms / 1000.0;
    if (!wait_for(path, path->channel, patience < LONGEST_WAIT ? patience : LONGEST_WAIT)) return SENT;
    ssize_t size = recv(path->channel, path->reply, sizeof path->reply, MSG_DONTWAIT);
    if (size <= 0) return SENT;
    path->reply_size = (size_t)size;
    double time = now();
    struct slice value;
    if (!is_plain_reply(path->reply, path->reply_size, path->number, &value)) return REPLIED;
    uint64_t memory = resident_bytes(path);
    if (!is_quiet(path, time)) return REPLIED;
    char answer[PIPE_BUF];
    size_t length = make_answer(answer, sizeof answer, request.id, value, memory, time - path->started, path->epoch);
    /* A pipe takes so little as a whole or not at all. */
    if (length == 0 || write(STDOUT_FILENO, answer, length) < 0) return REPLIED;
    clean_up(path);
    return EVENTS;
}

/* Serves requests until there is something for Python; waits no longer than `seconds` for the next one (for ever when negative). */
enum outcome fast_path(struct fast_path *path, double seconds) {
    double deadline = seconds < 0 ? -1 : now() + seconds;
    for (;;) {
        double left = deadline < 0 ? -1 : deadline - now();
        if ((deadline >= 0 && left <= 0) || !wait_for(path, STDIN_FILENO, left)) return EVENTS;
        ssize_t size = read(STDIN_FILENO, path->input, sizeof path->input);
        if (size < 0) return EVENTS;
        path->input_size = (size_t)size;
        enum outcome outcome = size == 0 ? INPUT : exchange(path);
        if (outcome != EVENTS) return outcome;
    }
}
