#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "core/body_file_property.hpp"

// body_file_fuzz FOLDER CORPUS: new findings go to FOLDER, make_corpus.py writes CORPUS.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const char* const trouble =
      nbody::broken_body_file_property({reinterpret_cast<const char*>(data), size});
  if (trouble != nullptr) {
    std::fprintf(stderr, "%s\n", trouble);
    std::abort();
  }
  return 0;
}
