#include "command_line/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "core/input_error.hpp"

namespace nbody::command_line {

struct CommandLine::Parser {
  CLI::App app;
  CLI::Option* last = nullptr;
  std::string group = "Options";
  bool parsed = false;

  void declare(CLI::Option* option, const std::string& value) {
    last = option->group(group);
    if (!value.empty()) last->type_name(value);
  }
};

namespace {

// CLI11's "-n: 1 required N missing" and "-i: At Most 1 required but received 2", in plain words.
std::string wrong_number_of_values(const CLI::App& app, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  const CLI::Option* const option = app.get_option_no_throw(name);
  if (option == nullptr || option->get_items_expected_max() != 1) return message;
  if (option->count() > 1)
    return fmt::format("{} is given {} times: keep one", name, option->count());
  return fmt::format("{} needs a value: {} {}", name, name, option->get_type_name());
}

// "-n" of "-n,--n".
std::string first_of(const std::string& names) { return names.substr(0, names.find(',')); }

// NaN if the text is not a number.
double number_in(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  return fault == std::errc() && stop == end ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : parser_(new Parser{CLI::App(description, name)}) {
  parser_->app.set_help_flag("-h,--help", "show this and stop");
}

CommandLine::~CommandLine() = default;

void CommandLine::group(const std::string& heading) { parser_->group = heading; }

void CommandLine::version(const std::string& text) {
  parser_->app.set_version_flag("--version", text);
}

CommandLine& CommandLine::flag(const std::string& names, bool& into, const std::string& help) {
  parser_->declare(parser_->app.add_flag(names, into, help), "");
  return *this;
}

CommandLine& CommandLine::option(const std::string& names, const std::string& value, Store store,
                                 const std::string& help) {
  parser_->declare(parser_->app.add_option_function<std::string>(names, std::move(store), help),
                   value);
  return *this;
}

CommandLine& CommandLine::text(const std::string& names, const std::string& value,
                               std::string& into, const std::string& help) {
  return option(
      names, value, [&into](const std::string& typed) { into = typed; }, help);
}

CommandLine& CommandLine::text(const std::string& names, const std::string& value,
                               std::filesystem::path& into, const std::string& help) {
  return option(
      names, value, [&into](const std::string& typed) { into = typed; }, help);
}

CommandLine& CommandLine::number(const std::string& names, const std::string& value,
                                 std::uint64_t& into, const std::string& help, std::uint64_t least,
                                 std::uint64_t most) {
  const auto store = [&into, name = first_of(names), least, most](const std::string& typed) {
    into = whole_number(name, typed, least, most);
  };
  return option(names, value, store, help);
}

CommandLine& CommandLine::number(const std::string& names, const std::string& value, double& into,
                                 const std::string& help) {
  const auto store = [&into, name = first_of(names)](const std::string& typed) {
    into = real_number(name, typed, true);
  };
  return option(names, value, store, help);
}

CommandLine& CommandLine::number(const std::string& names, const std::string& value, double& into,
                                 const std::string& help, double least, double most) {
  const auto store = [&into, name = first_of(names), least, most](const std::string& typed) {
    into = real_between(name, typed, least, most);
  };
  return option(names, value, store, help);
}

CommandLine& CommandLine::words(const std::string& names, const std::string& value,
                                std::vector<std::string>& into, const std::string& help,
                                int count) {
  parser_->declare(parser_->app.add_option(names, into, help), value);
  if (count > 0) parser_->last->expected(count);
  return *this;
}

CommandLine& CommandLine::required() {
  parser_->last->required();
  return *this;
}

CommandLine& CommandLine::last_wins() {
  parser_->last->take_last();
  return *this;
}

bool CommandLine::parse(int argc, char** argv) {
  CLI::App& app = parser_->app;
  std::string complaint;
  try {
    app.parse(argc, argv);
    return true;
  } catch (const CLI::Success& done) {
    app.exit(done);
    return false;
  } catch (const CLI::ArgumentMismatch& fault) {
    complaint = wrong_number_of_values(app, fault.what());
  } catch (const CLI::ParseError& fault) {
    complaint = fault.what();
  }
  throw InputError(complaint + "; --help lists the options");
}

bool CommandLine::given(const std::string& name) const { return parser_->app.count(name) > 0; }

std::vector<std::string> CommandLine::given() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : std::as_const(parser_->app).get_options()) {
    if (option->count() > 0) names.push_back(option->get_name());
  }
  return names;
}

// The message names `option`, so that a person sees which word is wrong.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || stop != end || value < least || value > most) {
    const std::string highest = most == UINT64_MAX ? "up" : fmt::format("to {}", most);
    throw InputError(
        fmt::format("{} needs a whole number from {} {}, not '{}'", option, least, highest, text));
  }
  return value;
}

double real_number(const std::string& option, const std::string& text, bool zero_allowed) {
  const double value = number_in(text);
  if (!std::isfinite(value) || value < 0 || (value == 0 && !zero_allowed)) {
    throw InputError(fmt::format("{} needs a finite number {} 0, not '{}'", option,
                                 zero_allowed ? ">=" : ">", text));
  }
  return value;
}

double real_between(const std::string& option, const std::string& text, double least, double most) {
  const double value = number_in(text);
  if (value >= least && value <= most) return value;
  throw InputError(
      fmt::format("{} needs a number from {} to {}, not '{}'", option, least, most, text));
}

std::vector<std::string> words_between_commas(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace nbody::command_line
