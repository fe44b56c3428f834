#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/wait.h>

#ifdef __linux__
#include <linux/close_range.h>
#include <sched.h>
#include <sys/prctl.h>
#endif

static void limit(int resource, uint64_t value) {
    if (value == 0) return;
    struct rlimit limits = {.rlim_cur = value, .rlim_max = value};
    setrlimit(resource, &limits);
}

// Runs between fork and exec: only async-signal-safe calls, as other threads may have held any lock.
static void prepare(const struct spawn_request *request, pid_t parent) {
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(request->output, 1) < 0 || dup2(request->error, 2) < 0) return;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // the parent died before the line above
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    unshare(CLONE_NEWNET);  // needs root; without it the protocol whitelist alone keeps ffmpeg off the network
#endif
    setpriority(PRIO_PROCESS, 0, 5);  // requests go before transcodes
    limit(RLIMIT_AS, request->memory_bytes);
    limit(RLIMIT_CPU, request->cpu_seconds);
    limit(RLIMIT_FSIZE, request->file_bytes);
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

pid_t clipfeed_spawn(const struct spawn_request *request) {
    int report[2];  // carries errno of a failed exec; closed by a successful one
    if (pipe2(report, O_CLOEXEC) != 0) return -errno;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        int code = errno;
        close(report[0]);
        close(report[1]);
        return -code;
    }
    if (child == 0) {
        prepare(request, parent);
        if (chdir(request->folder) == 0) {
#ifdef __linux__
            close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
#endif
            execve(request->path, request->arguments, request->environment);
        }
        int code = errno;
        ssize_t written = write(report[1], &code, sizeof code);
        (void)written;
        _exit(127);
    }
    close(report[1]);
    int code = 0;
    ssize_t got;
    do got = read(report[0], &code, sizeof code);
    while (got < 0 && errno == EINTR);
    close(report[0]);
    if (got == (ssize_t)sizeof code) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        return -code;
    }
    return child;
}
