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
  std::string archs = {};  // it has a program NAME_ARCH for each of these; empty: just one program
  std::string skip = {};   // why it is not checked, if there is a reason other than its needs
};

// In the order of the parts' lists. Throws InputError.
std::vector<ImplementationEntry> read_manifest(const std::filesystem::path& file);

// Those of one part, or the named ones of it. Throws InputError and lists what there is.
std::vector<ImplementationEntry> select(const std::vector<ImplementationEntry>& all,
                                        const std::string& part,
                                        const std::vector<std::string>& names);

// Its program for one instruction set in its place. Throws InputError for a name that is none.
ImplementationEntry for_arch(ImplementationEntry entry, const std::string& arch);

// Why the program cannot run here ("needs avx512f"); empty when it can.
std::string reason_to_skip(const ImplementationEntry& entry);

}  // namespace nbody
