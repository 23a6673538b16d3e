#include "simulator/launcher.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <vector>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "machine/machine.hpp"

namespace nbody {
namespace {

const std::map<std::string, std::string>& features() {
  static const std::map<std::string, std::string> of = {
      {"sse2", "sse2"},
      {"avx2", "avx2 fma"},
      {"avx512", "avx512f avx512cd avx512dq avx512bw avx512vl fma"},
      {"neon", "asimd"}};
  return of;
}

// Removes --arch X and --arch=X from the words; empty if it is not given.
std::string take_architecture(std::vector<char*>& words) {
  std::string wanted;
  std::vector<char*> others;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string word = words[k];
    std::optional<std::string> name;
    if (word == "--arch") {
      name = k + 1 < words.size() ? words[++k] : "";
    } else if (word.rfind("--arch=", 0) == 0) {
      name = word.substr(std::strlen("--arch="));
    }
    if (!name) {
      others.push_back(words[k]);
    } else if (name->empty()) {
      throw InputError("--arch needs the name of an instruction set");
    } else {
      wanted = *name;
    }
  }
  words = others;
  return wanted;
}

std::string best_of(const std::string& architectures, const FeatureTest& machine_has) {
  std::istringstream words(architectures);
  std::string best, missing;
  for (std::string word; words >> word;) {
    if (machine_has(features_of(word), missing)) best = word;
  }
  if (best.empty()) throw InputError("this machine supports none of " + architectures);
  return best;
}

std::string known_architectures() {
  std::string names;
  for (const auto& [name, of] : features()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

}  // namespace

std::string features_of(const std::string& architecture) {
  const auto found = features().find(architecture);
  if (found == features().end()) {
    throw InputError("unknown instruction set '" + architecture + "': choose from " +
                     known_architectures());
  }
  return found->second;
}

std::string chosen_architecture(const std::string& wanted, const std::string& architectures,
                                const FeatureTest& machine_has) {
  if (wanted.empty()) return best_of(architectures, machine_has);
  const std::string features = features_of(wanted);
  if ((" " + architectures + " ").find(" " + wanted + " ") == std::string::npos) {
    throw InputError("--arch " + wanted + ": this program was built for " + architectures);
  }
  std::string missing;
  if (!machine_has(features, missing)) {
    throw InputError("--arch " + wanted + ": this machine has no " + missing);
  }
  return wanted;
}

int launch(int argc, char** argv, const std::string& name, const std::string& architectures) {
  try {
    std::vector<char*> words(argv, argv + argc);
    const std::string architecture =
        chosen_architecture(take_architecture(words), architectures, machine::machine_has);
    words.push_back(nullptr);
    const auto program =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / (name + "_" + architecture);
    execv(program.c_str(), words.data());
    std::fprintf(stderr, "%s: %s cannot be started: %s\n", name.c_str(), program.c_str(),
                 std::strerror(errno));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), printable(error.what()).c_str());
  }
  return 2;
}

}  // namespace nbody
