#include "simulator/launcher.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <vector>

#include "bodies/input_error.hpp"
#include "machine/machine.hpp"

namespace nbody {
namespace {

const std::map<std::string, std::string>& features() {
  static const std::map<std::string, std::string> of = {
      {"sse2", "sse2"},
      {"avx2", "avx2 fma"},
      {"avx512", "avx512f avx512dq avx512bw avx512vl"},
      {"neon", "asimd"}};
  return of;
}

// Takes --arch X and --arch=X out of the words; empty if it is not there.
std::string take_architecture(std::vector<char*>& words) {
  std::string wanted;
  for (std::size_t k = 1; k < words.size();) {
    const std::string word = words[k];
    std::size_t taken = 0;
    if (word == "--arch") {
      if (k + 1 == words.size()) throw InputError("--arch wants the name of an instruction set");
      wanted = words[k + 1];
      taken = 2;
    } else if (word.rfind("--arch=", 0) == 0) {
      wanted = word.substr(std::strlen("--arch="));
      taken = 1;
    }
    if (taken == 0) {
      ++k;
    } else {
      const auto at = words.begin() + static_cast<std::ptrdiff_t>(k);
      words.erase(at, at + static_cast<std::ptrdiff_t>(taken));
    }
  }
  return wanted;
}

std::string best_of(const std::string& architectures) {
  std::istringstream words(architectures);
  std::string best, missing;
  for (std::string word; words >> word;) {
    if (machine_has(features_of(word), missing)) best = word;
  }
  if (best.empty()) throw InputError("this machine has none of: " + architectures);
  return best;
}

std::string chosen(const std::string& wanted, const std::string& architectures) {
  if (wanted.empty()) return best_of(architectures);
  if ((" " + architectures + " ").find(" " + wanted + " ") == std::string::npos) {
    throw InputError("--arch " + wanted + ": it was built for " + architectures);
  }
  std::string missing;
  if (!machine_has(features_of(wanted), missing)) {
    throw InputError("--arch " + wanted + ": this machine has no " + missing);
  }
  return wanted;
}

}  // namespace

std::string features_of(const std::string& architecture) {
  const auto found = features().find(architecture);
  if (found == features().end()) throw InputError("no instruction set is called " + architecture);
  return found->second;
}

int launch(int argc, char** argv, const std::string& name, const std::string& architectures) {
  try {
    std::vector<char*> words(argv, argv + argc);
    const std::string architecture = chosen(take_architecture(words), architectures);
    words.push_back(nullptr);
    const auto program =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / (name + "_" + architecture);
    execv(program.c_str(), words.data());
    std::fprintf(stderr, "%s: %s cannot be started: %s\n", name.c_str(), program.c_str(),
                 std::strerror(errno));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
  }
  return 2;
}

}  // namespace nbody
