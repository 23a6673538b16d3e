#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/messages.hpp"
#include "protocol/require.hpp"

namespace nbody::protocol {

// How the members of a header, and columns, are read and written; for messages.cpp alone.

using json = nlohmann::ordered_json;  // its members stay in the order in which they are written

inline constexpr std::uint64_t any_count = ~std::uint64_t{0};

// What a text may be, and what it then means.
template <typename Value>
struct Word {
  Value value;
  std::string_view word;
};

// ASCII alone. Doubles have as many digits as bring back the same double.
inline std::string dump(const json& value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace);
}

inline void check_name(const char* member, std::string_view name) {
  const auto is_allowed = [](char letter) { return letter > ' ' && letter <= '~'; };
  require(name.size() <= name_size, "\"{}\" is too long: at most {} letters are allowed", member,
          name_size);
  require(std::all_of(name.begin(), name.end(), is_allowed),
          "\"{}\" is '{}': blanks, and bytes that are not printable ASCII, are not allowed", member,
          safe_line(name));
}

inline void check_count(const char* member, std::uint64_t value, std::uint64_t least,
                        std::uint64_t most) {
  require(value >= least && value <= most, "\"{}\" is {}: {} to {} are allowed", member, value,
          least, most);
}

// JSON has neither NaN nor infinity.
inline void check_setting(const char* member, double value, double most) {
  require(std::isfinite(value) && value >= 0, "\"{}\" is {}: it must be finite and not negative",
          member, value);
  require(value <= most, "\"{}\" is {}: at most {} is allowed", member, value, most);
}

// Takes the members out of a header; each must be there, and in the end none may be left.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view header) : header_(safe_line(header, 60)) {
    left_ = json::parse(header.begin(), header.end(), nullptr, false);
    require(left_.is_object(), "what it sent is not a header in JSON: \"{}\"", header_);
  }

  bool has(const char* name) const { return left_.contains(name); }

  void boolean(const char* name, bool& value) {
    value = take(name, &json::is_boolean, "true or false").get<bool>();
  }
  template <typename Unsigned>
  void count(const char* name, Unsigned& value, std::uint64_t least,
             std::uint64_t most = any_count) {
    const json taken = take(name, &json::is_number_unsigned, "a whole number, and not negative");
    check_count(name, taken.get<std::uint64_t>(), least, most);
    value = taken.get<Unsigned>();
  }
  void setting(const char* name, double& value, double most = HUGE_VAL) {
    value = take(name, &json::is_number, "a number").get<double>();
    check_setting(name, value, most);
  }
  void text(const char* name, std::string& value) {
    value = take(name, &json::is_string, "a text").get<std::string>();
  }
  void name(const char* name, std::string& value) {
    text(name, value);
    check_name(name, value);
  }
  // One of several words.
  template <typename Value, std::size_t count>
  void choice(const char* name, Value& value, const std::array<Word<Value>, count>& words) {
    std::string found;
    text(name, found);
    const auto word = std::find_if(words.begin(), words.end(),
                                   [&](const Word<Value>& one) { return one.word == found; });
    require(word != words.end(), "\"{}\" is '{}': {} or {} are allowed", name, safe_line(found),
            words[0].word, words[1].word);
    value = word->value;
  }

  void demand_no_more() const {
    require(left_.empty(), "the header has a member \"{}\", which means nothing",
            left_.empty() ? "" : safe_line(left_.items().begin().key()));
  }

 private:
  json take(const char* name, bool (json::*is_right)() const noexcept, const char* right) {
    require(has(name), "the header has no \"{}\": {}", name, header_);
    json value = std::move(left_.at(name));
    left_.erase(name);
    require((value.*is_right)(), "\"{}\" is {}: it must be {}", name, safe_line(dump(value), 60),
            right);
    return value;
  }

  std::string header_;
  json left_;
};

// The same functions put members into a header.
class HeaderWriter {
 public:
  void boolean(const char* name, bool value) { header_[name] = value; }
  void count(const char* name, std::uint64_t value, std::uint64_t least,
             std::uint64_t most = any_count) {
    check_count(name, value, least, most);
    header_[name] = value;
  }
  void setting(const char* name, double value, double most = HUGE_VAL) {
    check_setting(name, value, most);
    header_[name] = value;
  }
  void text(const char* name, const std::string& value) { header_[name] = value; }
  void name(const char* name, const std::string& value) {
    check_name(name, value);
    header_[name] = value;
  }
  template <typename Value, std::size_t count>
  void choice(const char* name, Value value, const std::array<Word<Value>, count>& words) {
    for (const Word<Value>& one : words) {
      if (one.value == value) header_[name] = one.word;
    }
  }
  std::string line() const { return dump(header_) + "\n"; }

 private:
  json header_;
};

static_assert(std::endian::native == std::endian::little, "columns are copied as they are");

inline void check_columns_size(std::size_t came, std::uint64_t expected) {
  require(came == expected, "{} bytes came after the header, which implies {}", came, expected);
}

// Copies columns out of bytes whose number was checked.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes) : bytes_(bytes) {}
  std::vector<double> column(std::size_t n) {
    std::vector<double> values(n);
    std::memcpy(values.data(), bytes_.data(), sizeof(double) * n);
    bytes_.remove_prefix(sizeof(double) * n);
    return values;
  }
  Vectors<double> vectors(std::size_t n) {
    Vectors<double> vectors;
    for (auto* axis : {&vectors.x, &vectors.y, &vectors.z}) *axis = column(n);
    return vectors;
  }

 private:
  std::string_view bytes_;
};

inline void append(std::string& message, const std::vector<double>& column, std::size_t n) {
  require(column.size() == n, "the columns differ in length");
  message.append(reinterpret_cast<const char*>(column.data()), sizeof(double) * n);
}

inline void append(std::string& message, const Vectors<double>& vectors, std::size_t n) {
  for (const auto* axis : {&vectors.x, &vectors.y, &vectors.z}) append(message, *axis, n);
}

}  // namespace nbody::protocol
