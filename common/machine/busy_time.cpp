#include "machine/busy_time.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

namespace nbody::machine {

// "cpu  user nice system idle iowait irq softirq steal ...", in ticks; guests count as users.
BusyTime busy_time() {
  std::ifstream file("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, disk = 0, interrupts = 0, soft = 0, steal = 0;
  if (!(file >> cpu >> user >> nice >> system >> idle >> disk >> interrupts >> soft)) return {};
  file >> steal;
  const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return {tick * (user + nice + system + interrupts + soft), tick * steal};
}

}  // namespace nbody::machine
