#pragma once

#include <fmt/core.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/messages.hpp"

namespace nbody::protocol {

// What the messages share; for this room, and for tests that break messages.

// Numbers as bytes, least significant byte first. Shifts work for either byte order, and compilers
// turn the loop into one move on a little-endian host.
template <typename Unsigned>
void store_little_endian(Unsigned value, char* bytes) {
  for (std::size_t k = 0; k < sizeof(value); ++k) bytes[k] = static_cast<char>(value >> (8 * k));
}

template <typename Unsigned>
Unsigned load_little_endian(const char* bytes) {
  Unsigned value = 0;
  for (std::size_t k = 0; k < sizeof(value); ++k) {
    value |= static_cast<Unsigned>(static_cast<unsigned char>(bytes[k])) << (8 * k);
  }
  return value;
}

// Fills a message whose size is known before; writing past it throws.
class MessageWriter {
 public:
  explicit MessageWriter(std::size_t size) : bytes_(size, '\0') {}

  void text(std::string_view text) { text.copy(next(text.size()), text.size()); }
  void name(std::string_view name);  // padded with zeros to name_size bytes
  void u32(std::uint32_t value) { store_little_endian(value, next(4)); }
  void u64(std::uint64_t value) { store_little_endian(value, next(8)); }
  void f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }
  void column(const std::vector<double>& values) {
    for (const double value : values) f64(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  char* next(std::size_t size) {
    if (size > bytes_.size() - position_) throw ProtocolError("a message outgrew its size");
    position_ += size;
    return bytes_.data() + position_ - size;
  }
  std::string bytes_;
  std::size_t position_ = 0;
};

// Takes numbers from the front of a message; throws ProtocolError if the message ends too early.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : bytes_(bytes) {}

  std::string_view text(std::size_t size) { return next(size); }
  std::string name();
  std::uint32_t u32() { return load_little_endian<std::uint32_t>(next(4).data()); }
  std::uint64_t u64() { return load_little_endian<std::uint64_t>(next(8).data()); }
  double f64() { return std::bit_cast<double>(u64()); }
  std::vector<double> column(std::size_t size) {
    if (size > bytes_.size() / 8) throw too_short();
    std::vector<double> values(size);
    for (double& value : values) value = f64();
    return values;
  }

 private:
  static ProtocolError too_short() { return ProtocolError("the message ends too early"); }
  std::string_view next(std::size_t size) {
    if (size > bytes_.size()) throw too_short();
    const std::string_view front = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return front;
  }
  std::string_view bytes_;
};

// Throws ProtocolError with this message unless the condition holds.
template <typename... Values>
void require(bool holds, fmt::format_string<const Values&...> message, const Values&... values) {
  if (!holds) throw ProtocolError(fmt::format(message, values...));
}

inline constexpr std::string_view frame_magic = "NBODYLAB";

// A writer for the whole frame with the header already in it.
MessageWriter start_frame(const FrameHeader& header);

// These throw ProtocolError for values that are invalid in this or any message.
void demand_kind(const FrameHeader& header, FrameHeader::Kind kind);
Precision parse_precision(std::uint32_t bytes_per_number);
inline constexpr std::uint32_t max_ranks = 65536;
void check_ranks(std::uint32_t ranks);
// Throws ProtocolError unless 1 <= n <= max_bodies.
void check_number_of_bodies(std::uint64_t n);
// Throws ProtocolError unless the header states this size and that many bytes are there.
void check_payload_size(const FrameHeader& header, std::string_view payload, std::uint64_t size);

// Text of an untrusted program, safe to print on one line: every byte that is not printable ASCII
// becomes \xNN, and a long text is cut and ends in "...".
std::string safe_line(std::string_view text, std::size_t max_size = 200);

}  // namespace nbody::protocol
