#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "session/session.hpp"

namespace nbody::check {

// One program of an implementation: for one number type, and possibly one instruction set.
struct ProgramEntry {
  Precision precision;
  std::string instruction_set;  // "avx2"; empty: it runs on every machine
  std::filesystem::path file;
  ExpectedProgram hello = {};               // what it must say of itself
  std::vector<std::string> arguments = {};  // after its name, always
  Launch launcher = {};                     // before it
  bool holds_sums = false;                  // it promises float sums that hold at any N
};

// A row of build/<preset>/manifest.json, which CMake writes (docs/file_formats.md): an
// implementation.
struct ImplementationEntry {
  std::string part, name, summary, kind, flags;  // with an instruction set chosen: name_avx2
  std::string needs;                             // CPU features, or "gpu"
  std::string expect;  // of an exhibit that fails: the mistake that must be found
  std::vector<ProgramEntry> programs = {};
  std::string row = {};               // its name in the manifest
  std::string parent = {};            // its parent row; empty: none
  std::string skip = {};              // why it is not checked, apart from its needs
  std::filesystem::path source = {};  // its header, from the lab's root
};

// Its instruction sets, worst first; empty: its programs run on every machine.
std::vector<std::string> instruction_sets(const ImplementationEntry& entry);

// Its program in one number type, the best that this machine can run; nothing if there is none.
std::optional<ProgramEntry> program_in(const ImplementationEntry& entry, Precision precision);

// In the order of the parts' lists. Throws InputError.
std::vector<ImplementationEntry> read_manifest(const std::filesystem::path& file);

// Those of one part, or the named ones of it. Throws InputError, listing what there is.
std::vector<ImplementationEntry> select(const std::vector<ImplementationEntry>& all,
                                        const std::string& part,
                                        const std::vector<std::string>& names);

// The same with the programs of one instruction set. Throws InputError for a name that is none.
ImplementationEntry for_arch(ImplementationEntry entry, const std::string& arch);

// Why the program cannot run here ("needs avx512f"); empty when it can.
std::string reason_to_skip(const ImplementationEntry& entry);

}  // namespace nbody::check
