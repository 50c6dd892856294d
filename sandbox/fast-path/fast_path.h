/* What Python and the fast path share; `fast_path.py` has the same structure, in the same order. */
#ifndef FAST_PATH_H
#define FAST_PATH_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Seconds. A runtime that takes longer is waited for in Python. */
#define LONGEST_WAIT 0.05

enum outcome {
    /* Nothing is in hand. */
    EVENTS = 0,
    /* `input` was read from the host, and is still to be handled; nothing when the host is gone. */
    INPUT = 1,
    /* `input` is an execution that was sent to the runtime under `number`. */
    SENT = 2,
    /* The same, and `reply` was read from the runtime. */
    REPLIED = 3,
};

struct fast_path {
    /* Descriptors: the loop's epoll, the runtime's socket, its files in /proc, the supervisor's own children, the count of kills. */
    int32_t loop, channel, memory, threads, children, own_children, kills;
    /* Descriptors: both ends of the pipes that the runtime writes to, and the workspace's folder. */
    int32_t output, error, output_writer, error_writer, workspace;
    /* Of the next execution. */
    uint32_t number;
    uint32_t epoch;
    /* Free room of the workspace's file system below which it has to be counted, and the time at which it has to be anyway. */
    int64_t least_bytes, least_files;
    double next_walk;
    /* When the execution was sent, by the monotonic clock. */
    double started;
    uint64_t input_size, reply_size;
    /* What `own_children` says as long as there is no stray. */
    char children_of_init[64];
    /* What `kills` said after the last answer. */
    char kills_text[256];
    char input[65536];
    char reply[65536];
};

enum outcome fast_path(struct fast_path *path, double seconds);

#endif
