#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "protocol/message_property.hpp"

// message_fuzz FOLDER CORPUS: new findings go to FOLDER, make_corpus.py writes CORPUS.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  for (const nbody::protocol::MessageKind& kind : nbody::protocol::message_kinds) {
    const char* const trouble = nbody::protocol::broken_property(kind, bytes);
    if (trouble != nullptr) {
      std::fprintf(stderr, "%s: %s\n", kind.name, trouble);
      std::abort();
    }
  }
  return 0;
}
