#pragma once

#include <sys/types.h>

#include <cstddef>

namespace nbody {

// A program that leads a session of its own, and all that it has started: the ranks of a launcher,
// what a sandbox holds, what has lost its parent. Found by session and parent in /proc. What moves
// to another session and loses its parent, too, is lost: only a sandbox with its own process
// numbers holds even that.

// Repeats until no new process appears, at most a hundred times.
void signal_all(pid_t leader, int signal);

// Of all its processes that run: what has ended no longer counts.
struct ProcessNumbers {
  double cpu_seconds = 0;  // to the nanosecond
  // Of its running threads, so far: seconds on a core, and seconds that they could have run and had
  // none; 0 where the kernel does not tell.
  double threads_ran = 0, threads_waited = 0;
  std::size_t memory = 0;  // bytes of resident sets, shared memory counted for each
};
ProcessNumbers numbers_of(pid_t leader);

}  // namespace nbody
