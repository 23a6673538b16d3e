#pragma once

#include <string>
#include <vector>

namespace nbody::protocol {

// Forbids this user's other processes to read or write this one's memory. The administrator still
// may: full isolation needs more. Not in a sanitized build, whose leak check needs access.
void keep_memory_private();

// The arguments of a tool that asks programs. A program can read its parent's name and arguments in
// /proc: there, all such tools are called "lab" and have none, so that no program can be right for
// the checker and fast for the clock. Keeps the memory private, too.
class HiddenArguments {
 public:
  HiddenArguments(int argc, char** argv);
  int count() const { return static_cast<int>(words_.size()); }
  char** values() { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;  // ends with null, as argv does
};

}  // namespace nbody::protocol
