#include "bench/core_use.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace nbody::bench {
namespace {

constexpr double much_waiting = 0.15;  // of the time that its threads could have run
constexpr double much_stolen = 0.1;    // of a core
constexpr double most_used = 0.85;     // of its threads; a program that uses more lacks nothing
constexpr double most_ended = 0.25;    // of its time, by threads that ended meanwhile
constexpr double noticeable = 0.25;    // cores that others use; the kernel counts in ticks
constexpr double look_s = 0.5;         // at what others do

unsigned cores_of_machine() {
  return static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

CoreUse& CoreUse::operator+=(const CoreUse& more) {
  seconds += more.seconds;
  ran += more.ran;
  ended += more.ended;
  waited += more.waited;
  others += more.others;
  stolen += more.stolen;
  return *this;
}

bool had_more_cores(const CoreUse& use, unsigned workers) {
  return use.cores() > 1.25 * workers + 0.25;
}

bool had_too_few_cores(const CoreUse& use, unsigned workers) {
  if (!(use.seconds > 0)) return false;
  if (had_more_cores(use, workers)) return false;  // its own threads took them from each other
  if (use.stolen > much_stolen * use.seconds) return true;
  // More threads than cores wait for each other, too.
  const unsigned machine = cores_of_machine(), most = std::min(workers, machine);
  if (workers <= machine && use.waited > much_waiting * (use.waited + use.ran)) return true;
  // A program may have fewer threads than it was given. Those that ended took with them what they
  // waited: then what others used must tell.
  if (workers <= machine && use.ended <= most_ended * use.ran) return false;
  const double others = use.cores_of_others();
  return use.cores() < most_used * most && others > noticeable &&
         most + others > machine + noticeable;
}

CoreClock::CoreClock(const Session& session)
    : session_(session), before_(session.numbers()), busy_(machine::busy_time()) {}

CoreUse CoreClock::use(double seconds) const {
  const machine::BusyTime busy = machine::busy_time();
  const ProcessNumbers now = session_.numbers();
  CoreUse use;
  use.seconds = seconds;
  use.ran = now.cpu_seconds - before_.cpu_seconds;
  use.ended = use.ran - (now.threads_ran - before_.threads_ran);
  use.waited = std::max(0.0, now.threads_waited - before_.threads_waited);
  use.stolen = busy.stolen - busy_.stolen;
  use.others = std::max(0.0, busy.programs - busy_.programs - use.ran);
  return use;
}

bool wait_for_cores(unsigned workers, double& left_s, const std::function<void()>& on_wait) {
  const double most = std::max(noticeable, static_cast<double>(cores_of_machine()) - workers);
  while (left_s > 0) {
    if (on_wait) on_wait();
    const double before = machine::busy_time().programs;
    std::this_thread::sleep_for(std::chrono::duration<double>(look_s));
    left_s -= look_s;
    if (machine::busy_time().programs - before <= (most + noticeable) * look_s) return true;
  }
  return false;
}

}  // namespace nbody::bench
