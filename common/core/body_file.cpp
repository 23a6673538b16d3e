#include "core/body_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "core/input_error.hpp"
#include "core/text_file.hpp"

namespace nbody {
namespace {

// Which numbers are allowed.
struct Range {
  double least, most;
  const char* text;
};
constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr Range any = {-largest, largest, "a finite decimal number like 1.5e3"};
constexpr Range not_negative = {0, largest, "a decimal number like 1.5e3, and not negative"};
constexpr Range positive = {smallest, largest, "a decimal number like 1.5e3, and above 0"};
constexpr Range share = {0, 1, "a decimal number from 0 to 1"};

constexpr std::array column_names = {"mass", "radius", "qx", "qy", "qz", "vx", "vy", "vz"};

constexpr std::string_view spaces = " \t\r\n\v\f";

// A text as words; `#` hides the rest of its line.
class Words {
 public:
  Words(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  // The next word; empty at the end of the text.
  std::string_view next() {
    bool in_comment = false;
    std::size_t skipped = 0;
    for (; skipped < rest_.size(); ++skipped) {
      const char c = rest_[skipped];
      in_comment = c == '#' || (in_comment && c != '\n');
      lines_passed_ += c == '\n' ? 1 : 0;
      if (!in_comment && spaces.find(c) == std::string_view::npos) break;
    }
    rest_.remove_prefix(skipped);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t\r\n\v\f#"));
    rest_.remove_prefix(word.size());
    if (!word.empty()) line_ = lines_passed_ + 1;
    return word;
  }

  // What follows the word on its line as a comment, trimmed.
  std::string_view comment() const {
    std::string_view text = rest_.substr(0, rest_.find('\n'));
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    if (!text.starts_with('#')) return {};
    text.remove_prefix(std::min(text.find_first_not_of(spaces, 1), text.size()));
    return text.substr(0, text.find_last_not_of(spaces) + 1);
  }

  // Names the line of the last word.
  template <typename... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> what, Values&&... values) const {
    throw InputError(fmt::format("{}:{}: ", printable(file_), line_) +
                     fmt::format(what, std::forward<Values>(values)...));
  }

 private:
  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 1, lines_passed_ = 0;
};

// The whole word as a number of the range; nothing for hexadecimal, nan, inf, or what double cannot
// hold.
std::optional<double> number_in(std::string_view word, const Range& range) {
  // from_chars takes no plus sign.
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  const bool whole = error == std::errc() && stop == end;
  if (whole && value >= range.least && value <= range.most) return value;
  return std::nullopt;
}

// Any other first line is a comment.
constexpr std::string_view mark = "# nbody-lab:";

void parse_first_line(std::string_view text, const std::string& file, Scene& scene) {
  if (!text.starts_with(mark)) return;
  Setting& setting = scene.setting;
  const std::map<std::string_view, std::pair<double*, Range>> keys = {
      {"G", {&setting.G, not_negative}}, {"soft", {&setting.softening, not_negative}},
      {"dt", {&setting.dt, positive}},   {"mdt", {&setting.dt_floor, not_negative}},
      {"time", {&scene.time, any}},      {"damping", {&setting.damping, share}}};
  std::set<std::string_view> seen;
  Words words(text.substr(mark.size(), text.find('\n') - mark.size()), file);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    const std::string_view key = word.substr(0, word.find('='));
    const std::string_view value = word.substr(std::min(key.size() + 1, word.size()));
    if (key == "integrator" && !value.empty()) {
      setting.integrator = value;
    } else if (const auto known = keys.find(key); known != keys.end()) {
      const auto& [target, range] = known->second;
      const auto number = number_in(value, range);
      if (!number) {
        words.fail("{} is {}, but must be {}", key, in_quotes(value), range.text);
      }
      *target = *number;
    } else {
      words.fail(
          "{} is not a setting: write KEY=VALUE with one of G, soft, dt, mdt, time, damping, "
          "integrator",
          in_quotes(word));
    }
    if (!seen.insert(key).second) words.fail("{} is given twice: remove one", key);
  }
}

}  // namespace

Scene parse_bodies(std::string_view text, const std::string& file) {
  Scene scene;
  parse_first_line(text, file, scene);
  Words words(text, file);

  const std::string_view announced = words.next();
  const char* const end = announced.data() + announced.size();
  std::size_t count = 0;
  const auto [stop, error] = std::from_chars(announced.data(), end, count);
  if (error != std::errc() || stop != end || count < 1 || count > max_bodies) {
    words.fail("{} is not a number of bodies: start with N, from 1 to {}, then write N records",
               in_quotes(announced), max_bodies);
  }

  const auto columns = scene.bodies.columns();
  for (std::size_t found = 0; found < count; ++found) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string_view word = words.next();
      if (word.empty()) {
        words.fail(
            "the file ends after {} records and {} numbers, but N is {}: add what is "
            "missing or correct N",
            found, c, count);
      }
      const Range& range = c == 0 ? positive : c == 1 ? not_negative : any;
      const auto value = number_in(word, range);
      if (!value) {
        words.fail("{} of record {} is {}, but must be {}", column_names[c], found + 1,
                   in_quotes(word), range.text);
      }
      columns[c]->push_back(*value);
    }
    const std::string_view called = words.comment();
    if (!called.empty()) scene.names.emplace(found, called);
  }
  if (const std::string_view word = words.next(); !word.empty()) {
    words.fail("{} follows the last record, because N is {}: remove the surplus or correct N",
               in_quotes(word), count);
  }
  return scene;
}

std::string format_bodies(const Scene& scene) {
  const auto columns = scene.bodies.columns();
  const Setting& setting = scene.setting;
  std::string text = fmt::format("{} G={} soft={} dt={} mdt={} time={}", mark, setting.G,
                                 setting.softening, setting.dt, setting.dt_floor, scene.time);
  if (!setting.integrator.empty()) text += fmt::format(" integrator={}", setting.integrator);
  if (setting.damping != 1) text += fmt::format(" damping={}", setting.damping);
  text += fmt::format("\n{}\n# mass radius qx qy qz vx vy vz\n", scene.bodies.size());
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double value = (*columns[c])[i];
      if (!std::isfinite(value)) {
        throw InputError(fmt::format(
            "{} of body {} is {} and cannot be written: try a smaller time step or a softening",
            column_names[c], i, value));
      }
      // The shortest digits that read back to the same double.
      text += fmt::format("{}{}", c == 0 ? "" : " ", value);
    }
    const auto name = scene.names.find(i);
    text += name == scene.names.end() ? "\n" : fmt::format("  # {}\n", name->second);
  }
  return text;
}

Scene read_body_file(const std::filesystem::path& file) {
  return parse_bodies(read_text_file(file), file.string());
}

void write_body_file(const std::filesystem::path& file, const Scene& scene) {
  write_text_file(file, format_bodies(scene));
}

}  // namespace nbody
