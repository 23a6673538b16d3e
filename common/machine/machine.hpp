#pragma once

#include <string>

namespace nbody::machine {

// The compiler of this file, for example "g++ 12.2.0".
std::string compiler_name();

// Hardware threads that this process may use, at least one.
unsigned usable_processors();

// Seconds of processor time since the machine was started, of all its hardware threads together.
// Zero where the system does not report them.
struct BusyTime {
  double programs = 0;  // all programs and the kernel
  double stolen = 0;    // a virtual machine's cores were wanted, and the host had none
};
BusyTime busy_time();

// Does an NVIDIA driver answer, with a GPU for this process? Needs no CUDA to build.
bool gpu_answers();

// True if every word of `features` (as in /proc/cpuinfo: "avx2 fma") is among the CPU's flags; or
// "gpu", and one answers. `missing` becomes the first word that is missing.
bool machine_has(const std::string& features, std::string& missing);
bool has_features(const std::string& features);

}  // namespace nbody::machine
