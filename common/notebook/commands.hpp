#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nbody {

struct TryOptions {
  std::filesystem::path manifest = "build/release/manifest.json";
  std::filesystem::path folder;  // of the part, where NOTEBOOK.md is
  std::filesystem::path source;  // the header that is kept
  std::string part, name, idea, expect;
  std::string against;  // number or name of the row to compare with; empty: row_before()
  std::uint64_t threads = 0;
  std::string device;  // the GPU that is measured on; empty: none
  bool adaptive = false;
  std::uint64_t n = 0;  // bodies; 0: what fits the machine
};

// Checks and measures an implementation, prints what came out and writes a row into the notebook.
// Returns the exit status: 0 right, 1 wrong. Throws InputError.
int try_idea(const TryOptions& options);

}  // namespace nbody
