#include "bench/core_use.hpp"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace nbody::bench {
namespace {

constexpr double much_waiting = 0.15;  // of the time that its threads could have run
constexpr double much_stolen = 0.1;    // of a core
constexpr double most_used = 0.85;     // of its threads; a program that uses more lacks nothing
constexpr double most_ended = 0.25;    // of its time, by threads that ended meanwhile
constexpr double noticeable = 0.25;    // cores that others use; the kernel counts in ticks
constexpr double look_s = 0.5;         // at what others do

double cores_of_machine() { return static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)); }

// Since the machine was started: of all programs, and what its host took. In the first line of the
// file are "cpu  user nice system idle iowait irq softirq steal", in ticks; guests count as users.
CoreUse use_of_machine() {
  std::ifstream file("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, disk = 0, interrupts = 0, soft = 0, steal = 0;
  file >> cpu >> user >> nice >> system >> idle >> disk >> interrupts >> soft >> steal;
  const double tick = 1 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return {.others = tick * (user + nice + system + interrupts + soft), .stolen = tick * steal};
}

}  // namespace

CoreUse CoreUse::plus(const CoreUse& more, double times) const {
  return {seconds + times * more.seconds, ran + times * more.ran,
          ended + times * more.ended,     waited + times * more.waited,
          others + times * more.others,   stolen + times * more.stolen};
}

CoreUse core_use(const Session& session) {
  const ProcessNumbers of = session.numbers();
  CoreUse use = use_of_machine();
  use.ran = of.cpu_seconds;
  use.ended = of.cpu_seconds - of.threads_ran;
  use.waited = of.threads_waited;
  use.others -= of.cpu_seconds;
  return use;
}

bool had_more_cores(const CoreUse& use, unsigned workers) {
  return use.cores() > 1.25 * workers + 0.25;
}

bool had_too_few_cores(const CoreUse& use, unsigned workers) {
  if (had_more_cores(use, workers)) return false;  // its own threads took them from each other
  if (use.stolen > much_stolen * use.seconds) return true;
  const double machine = cores_of_machine(), most = std::min<double>(workers, machine);
  if (workers <= machine && use.ended <= most_ended * use.ran) {
    return use.waited > much_waiting * (use.waited + use.ran);
  }
  // More threads than cores wait for each other, too, and those that ended took with them what they
  // waited: then what others used must tell.
  const double others = use.cores_of_others();
  return use.cores() < most_used * most && others > noticeable &&
         most + others > machine + noticeable;
}

bool wait_for_cores(unsigned workers, double& left_s, const std::function<void()>& on_wait) {
  const double most = std::max(noticeable, cores_of_machine() - workers);
  while (left_s > 0) {
    if (on_wait) on_wait();
    const double before = use_of_machine().others;
    std::this_thread::sleep_for(std::chrono::duration<double>(look_s));
    left_s -= look_s;
    if (use_of_machine().others - before <= (most + noticeable) * look_s) return true;
  }
  return false;
}

}  // namespace nbody::bench
