#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

std::string rewritten_hello(std::string_view bytes) {
  return format_hello(parse_hello(header_of(bytes)));
}
std::string rewritten_request(std::string_view bytes) {
  return format_request(parse_request_message(bytes));
}
std::string rewritten_answer(std::string_view bytes) {
  return format_answer(parse_answer_message(bytes));
}

// Any bytes are refused with a reason, or are a message that stays what it is.
void look_at(std::string (*rewritten)(std::string_view), std::string_view bytes) {
  std::string message;
  try {
    message = rewritten(bytes);
  } catch (const ProtocolError& fault) {
    if (*fault.what() != 0) return;
  }
  const bool is_kept = rewritten(message) == message;
  if (is_kept &&
      (header_of(message).find("protocol") < 3 || columns_of(message) == columns_of(bytes))) {
    return;
  }
  std::fprintf(stderr, "a fault without a reason, or a message that changes\n");
  std::abort();
}

}  // namespace
}  // namespace nbody::protocol

// message_fuzz FOLDER CORPUS: new findings go to FOLDER, make_corpus.py writes CORPUS.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nbody::protocol;
  const std::string_view bytes{reinterpret_cast<const char*>(data), size};
  for (const auto rewritten : {rewritten_hello, rewritten_request, rewritten_answer}) {
    look_at(rewritten, bytes);
  }
  return 0;
}
