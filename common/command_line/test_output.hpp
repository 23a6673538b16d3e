#pragma once

#include <set>
#include <sstream>
#include <string>

#include "core/text_file.hpp"

namespace nbody::command_line::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// ./lab shows a stored file instead of a program's --help, so that nothing need be built. Returns
// the words that only one of the two has: versions of CLI11 lay them out differently.
inline std::string differing_words(const std::string& help, const std::string& file) {
  const auto words_of = [](const std::string& text) {
    std::istringstream in(text.substr(text.find("-h,--help")));
    std::set<std::string> words;
    for (std::string word; in >> word;) words.insert(word);
    return words;
  };
  const auto printed = words_of(help), stored = words_of(read_text_file(file));
  std::string differing;
  for (const auto& word : stored) differing += printed.count(word) == 0 ? " -" + word : "";
  for (const auto& word : printed) {
    // A version may write more about an option, but no other option.
    if (word.front() == '-') differing += stored.count(word) == 0 ? " +" + word : "";
  }
  return differing;
}

}  // namespace nbody::command_line::test
