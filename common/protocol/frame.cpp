#include "protocol/frame.hpp"

#include <algorithm>
#include <array>

#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"
#include "bodies/words.hpp"

namespace nbody::protocol {
namespace {

// It appears in messages to people, and in a field of fixed size.
void check_name(std::string_view name) {
  const auto is_allowed = [](char letter) { return letter > ' ' && letter <= '~'; };
  require(name.size() <= name_size, "the name {} is too long: at most {} letters are allowed",
          safe_line(name), name_size);
  require(std::all_of(name.begin(), name.end(), is_allowed),
          "the name '{}' holds blanks, or bytes that are not printable ASCII", safe_line(name));
}

}  // namespace

void MessageWriter::name(std::string_view name) {
  check_name(name);
  name.copy(next(name_size), name.size());
}

std::string MessageReader::name() {
  const std::string_view field = next(name_size);
  const std::string_view name = field.substr(0, field.find('\0'));
  check_name(name);
  require(field.find_last_not_of('\0') == name.size() - 1, "bytes follow the end of the name '{}'",
          name);
  return std::string(name);
}

MessageWriter start_frame(const FrameHeader& header) {
  require(header.payload_size <= max_payload_size,
          "a message of {} bytes is too long: at most {} can be sent", header.payload_size,
          max_payload_size);
  MessageWriter writer(frame_header_size + header.payload_size);
  writer.text(frame_magic);
  writer.u32(protocol_version);
  writer.u32(static_cast<std::uint32_t>(header.kind));
  writer.u64(header.id);
  writer.u64(header.payload_size);
  return writer;
}

FrameHeader parse_header(std::string_view bytes) {
  require(bytes.size() == frame_header_size, "a header has {} bytes, not {}", frame_header_size,
          bytes.size());
  MessageReader reader(bytes);
  require(reader.text(frame_magic.size()) == frame_magic,
          "a message begins with {}, this one does not", frame_magic);
  const std::uint32_t version = reader.u32();
  require(version == protocol_version,
          "the message has protocol version {}, this program speaks {}", version, protocol_version);
  const std::uint32_t kind = reader.u32();
  require(kind >= 1 && kind <= 5, "there is no message of kind {}", kind);
  FrameHeader header{static_cast<FrameHeader::Kind>(kind), reader.u64(), reader.u64()};
  require(header.payload_size <= max_payload_size,
          "the header announces {} bytes, at most {} are allowed", header.payload_size,
          max_payload_size);
  return header;
}

void demand_kind(const FrameHeader& header, FrameHeader::Kind kind) {
  constexpr std::array names = {"a request", "an answer", "a refusal", "a hello",
                                "a refusal of something unsupported"};
  const auto name_of = [&](FrameHeader::Kind one) { return names.at(std::size_t(one) - 1); };
  require(header.kind == kind, "{} was expected, but the message is {}", name_of(kind),
          name_of(header.kind));
}

Precision precision_named(const std::string& text) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    if (text == name_of(precision)) return precision;
  }
  throw InputError("--precision needs float or double, not '" + text + "'");
}

Precision parse_precision(std::uint32_t bytes_per_number) {
  require(bytes_per_number == 4 || bytes_per_number == 8,
          "precision is {}: 4 (float) or 8 (double) are allowed", bytes_per_number);
  return static_cast<Precision>(bytes_per_number);
}

void check_ranks(std::uint32_t ranks) {
  require(ranks <= max_ranks, "the message speaks of {} ranks, at most {} are allowed", ranks,
          max_ranks);
}

void check_number_of_bodies(std::uint64_t n) {
  require(n >= 1 && n <= max_bodies, "the message holds {} bodies, 1 to {} are allowed", n,
          max_bodies);
}

void check_payload_size(const FrameHeader& header, std::string_view payload, std::uint64_t size) {
  require(header.payload_size == size && payload.size() == size,
          "the counts of the message ask for {} bytes, its header states {}, {} came", size,
          header.payload_size, payload.size());
}

std::string safe_line(std::string_view text, std::size_t max_size) {
  return printable(text.substr(0, max_size)) + (text.size() > max_size ? "..." : "");
}

}  // namespace nbody::protocol
