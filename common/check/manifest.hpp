#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace nbody {

// A row of build/<preset>/manifest.json, which CMake writes: one implementation program.
struct ImplementationEntry {
  std::string part, name, summary, kind, flags;
  std::string needs;   // CPU features, or "gpu"
  std::string expect;  // of an exhibit: the verdict or diagnosis it must get
  std::filesystem::path program;
  std::string archs;  // instruction sets it has a program NAME_ARCH for; empty: just one program
};

// In the order of the parts' lists. Throws InputError.
std::vector<ImplementationEntry> read_manifest(const std::filesystem::path& file);

// Those of one part, or the named ones of it. Throws InputError and lists what there is.
std::vector<ImplementationEntry> select(const std::vector<ImplementationEntry>& all,
                                        const std::string& part,
                                        const std::vector<std::string>& names);

// Why the program cannot run here ("needs avx512f"); empty when it can.
std::string reason_to_skip(const ImplementationEntry& entry);

}  // namespace nbody
