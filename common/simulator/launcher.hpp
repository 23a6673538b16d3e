#pragma once

#include <functional>
#include <string>

namespace nbody {

// CPU features (as in /proc/cpuinfo) that an instruction set asks for: "avx2" -> "avx2 fma". Throws
// InputError for an unknown name.
std::string features_of(const std::string& architecture);

// Whether the machine has all of some features; else the first missing one (machine_has()).
using FeatureTest = std::function<bool(const std::string& features, std::string& missing)>;

// `wanted`, or if it is empty the best of `architectures` (worst first) that the machine can run.
// Throws InputError if there is none.
std::string chosen_architecture(const std::string& wanted, const std::string& architectures,
                                const FeatureTest& machine_has);

// Some implementations have one program for each instruction set, NAME_sse2, NAME_avx2 and so on:
// not objects of one program, because the linker would merge their inlined templates. This process
// becomes the best one that the machine can run, or the one that --arch names. Returns only if it
// cannot: status 2, one line.
int launch(int argc, char** argv, const std::string& name, const std::string& architectures);

}  // namespace nbody
