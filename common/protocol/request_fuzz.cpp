#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "protocol/message_property.hpp"

// request_fuzz FOLDER common/protocol/corpus/request: new findings go to FOLDER.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const char* const trouble =
      nbody::broken_request_property({reinterpret_cast<const char*>(data), size});
  if (trouble != nullptr) {
    std::fprintf(stderr, "%s\n", trouble);
    std::abort();
  }
  return 0;
}
