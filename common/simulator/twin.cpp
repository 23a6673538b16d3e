#include "simulator/twin.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "bodies/input_error.hpp"

namespace nbody {

std::string twin_of(const std::string& program) {
  const std::string ending = "_double";
  if (!program.ends_with(ending)) return program + ending;
  return program.substr(0, program.size() - ending.size());
}

void become_twin(char** argv) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string twin = twin_of(self.filename().string());
  execv((self.parent_path() / twin).c_str(), argv);
  if (errno != ENOENT) throw InputError(twin + " cannot be started: " + std::strerror(errno));
  const std::string part = self.parent_path().filename().string();
  throw InputError(
      "--precision asks for the program " + twin + ", which is not built: run ninja -C " +
      self.parent_path().parent_path().parent_path().string() + " bin/" + part + "/" + twin);
}

void refuse_twin(const std::string& program) {
  throw InputError(
      "--precision needs another program, but the ranks of this one have started: start " +
      twin_of(program));
}

}  // namespace nbody
