#pragma once

#include <string>

namespace nbody {

// The CPU's own name, "unknown CPU" where the system does not tell.
std::string cpu_name();

// What this file was compiled by, "g++ 12.2.0" say.
std::string compiler_name();

// Today in UTC, "2026-11-20".
std::string date_today();

// Does the driver of an NVIDIA GPU answer, and has it one for this process? Needs no CUDA to build.
bool gpu_answers();

// True if every word of `features` (as in /proc/cpuinfo: "avx2 fma") is among the CPU's flags;
// or "gpu", and one answers. `missing` is set to the first word that is not there.
bool machine_has(const std::string& features, std::string& missing);

}  // namespace nbody
