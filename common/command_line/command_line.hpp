#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace nbody::command_line {

// The options of a program, in the order of its --help. It wraps CLI11, whose header costs seconds
// in every file that includes it; so only command_line.cpp does.
//
//   CommandLine line("Counts the words of a file.", "count");
//   line.text("--json", "FILE", json, "write the counts to this file");
//   if (!line.parse(argc, argv)) return 0;
//
// A name without a dash is positional. The functions that return the line itself qualify the option
// declared last.
class CommandLine {
 public:
  using Store = std::function<void(const std::string&)>;

  CommandLine(const std::string& description, const std::string& name);
  ~CommandLine();

  // Heading of the options declared from here on; if it is empty, --help hides them.
  void group(const std::string& heading);
  void version(const std::string& text);

  CommandLine& flag(const std::string& names, bool& into, const std::string& help);
  // The typed value goes to `store`, which may throw InputError.
  CommandLine& option(const std::string& names, const std::string& value, Store store,
                      const std::string& help);
  CommandLine& text(const std::string& names, const std::string& value, std::string& into,
                    const std::string& help);
  CommandLine& text(const std::string& names, const std::string& value, std::filesystem::path& into,
                    const std::string& help);
  CommandLine& number(const std::string& names, const std::string& value, std::uint64_t& into,
                      const std::string& help, std::uint64_t least = 0,
                      std::uint64_t most = UINT64_MAX);
  // Any number from 0 up.
  CommandLine& number(const std::string& names, const std::string& value, double& into,
                      const std::string& help);
  CommandLine& number(const std::string& names, const std::string& value, double& into,
                      const std::string& help, double least, double most);
  // Any number of words, or exactly `count`.
  CommandLine& words(const std::string& names, const std::string& value,
                     std::vector<std::string>& into, const std::string& help, int count = 0);

  CommandLine& required();
  CommandLine& last_wins();  // may be given several times

  // False when the program has nothing more to do (--help, --version). Throws InputError.
  bool parse(int argc, char** argv);

  bool given(const std::string& name) const;
  std::vector<std::string> given() const;  // names of the options that were typed

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

// A value of `option` as a number. They throw InputError, with the option's name and what it needs.
std::uint64_t whole_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most);
double real_number(const std::string& option, const std::string& text, bool zero_allowed);
double real_between(const std::string& option, const std::string& text, double least, double most);

// "1,2,4" -> 1, 2, 4; one word more than there are commas, so perhaps empty ones.
std::vector<std::string> words_between_commas(const std::string& text);

}  // namespace nbody::command_line
