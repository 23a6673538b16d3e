#include "protocol/hidden_arguments.hpp"

#include <sys/prctl.h>

#include <cstring>

namespace nbody::protocol {

void keep_memory_private() {
#if !defined(__SANITIZE_ADDRESS__)
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

HiddenArguments::HiddenArguments(int argc, char** argv) : words_(argv, argv + argc) {
  keep_memory_private();
  ::prctl(PR_SET_NAME, "lab");
  for (int k = 0; k < argc; ++k) std::memset(argv[k], 0, std::strlen(argv[k]));
  for (std::string& word : words_) pointers_.push_back(word.data());
  pointers_.push_back(nullptr);
}

}  // namespace nbody::protocol
