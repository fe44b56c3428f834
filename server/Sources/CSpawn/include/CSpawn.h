#ifndef CLIPFEED_SPAWN_H
#define CLIPFEED_SPAWN_H

#include <stdint.h>
#include <sys/types.h>

/// What a child process may use, and where it works. Zero means no limit.
struct spawn_request {
    const char *path;
    char *const *arguments;    // null-terminated, arguments[0] is the name
    char *const *environment;  // null-terminated
    const char *folder;        // working directory
    int output;                // becomes standard output
    int error;                 // becomes standard error
    uint64_t memory_bytes;
    uint64_t cpu_seconds;
    uint64_t file_bytes;       // largest file it may write
};

/// Starts a child in its own process group, without standard input, without any other descriptor, unable to gain
/// privileges, without network where the kernel allows that, and killed when the calling THREAD ends: the caller
/// has to keep its thread until the child is gone. Returns the process id, or -errno.
pid_t clipfeed_spawn(const struct spawn_request *request);

#endif
