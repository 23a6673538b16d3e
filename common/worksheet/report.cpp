#include "worksheet/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "worksheet/lines_table.hpp"

namespace nbody {
namespace {

std::string choices_text(const Lines& lines) {
  const auto asked = std::count_if(lines.begin(), lines.end(), is_choice);
  const auto given = std::count_if(lines.begin(), lines.end(), [](const Line& line) {
    return is_choice(line) && line.state != State::unanswered;
  });
  const auto right = std::count_if(lines.begin(), lines.end(), [](const Line& line) {
    return is_choice(line) && line.state == State::right;
  });
  if (given == 0) return "";
  if (given < asked) {
    return fmt::format("choices: {} of {} given; once all are, this tells how many are right\n",
                       given, asked);
  }
  return fmt::format("choices: {} of {} right; which ones, your instructor will tell\n", right,
                     asked);
}

std::string paper_machine_text(const Sheet& sheet) {
  if (sheet.authors.empty()) return "paper machine: write your names into worksheet.hpp first\n";
  return fmt::format("paper machine of {}: {}\n", sheet.authors, sheet.paper_machine);
}

bool is_given(const Line& line) { return !line.is_sum && line.state != State::unanswered; }

std::string how_many_answered(const Lines& lines) {
  const auto asked =
      std::count_if(lines.begin(), lines.end(), [](const Line& line) { return !line.is_sum; });
  return fmt::format("{} of {} line{} answered",
                     std::count_if(lines.begin(), lines.end(), is_given), asked,
                     asked == 1 ? "" : "s");
}

// "; wrong: 3, 13; missing: 19". Of a choice it is not told whether it is wrong.
std::string numbers_text(const Lines& lines) {
  const auto numbers = [&](const auto& wanted) {
    std::string text;
    std::string before;
    for (const Line& line : lines) {
      if (line.number == before || !wanted(line)) continue;
      before = line.number;
      text += (text.empty() ? "" : ", ") + line.number;
    }
    return text;
  };
  const std::string wrong =
      numbers([](const Line& line) { return !is_choice(line) && line.state == State::wrong; });
  const std::string missing = numbers([](const Line& line) {
    return line.state == State::unanswered || line.state == State::waiting;
  });
  return (wrong.empty() ? "" : "; wrong: " + wrong) +
         (missing.empty() ? "" : "; missing or waiting: " + missing);
}

// What to ask next when a count is wrong.
std::string next_step(const Lines& lines, Disclosure disclosure) {
  const bool wrong_count = std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    return line.is_count && line.state == State::wrong;
  });
  if (!wrong_count || disclosure == Disclosure::by_how_much) return "";
  if (disclosure == Disclosure::total) {
    return "a count is wrong; once you have looked again, --which tells which class\n";
  }
  return "once you have looked again, --by-how-much tells the difference\n";
}

}  // namespace

bool any_wrong(const Lines& lines) {
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    return line.state == State::wrong && !is_choice(line);
  });
}

std::string worksheet_text(const Sheet& sheet, Disclosure disclosure) {
  const Lines& lines = sheet.lines;
  const bool begun = std::any_of(lines.begin(), lines.end(), is_given);
  return fmt::format("worksheet of {}\n{}\n{}\n{}{}\n{}{}", sheet.part, paper_machine_text(sheet),
                     table_text(lines), how_many_answered(lines), begun ? numbers_text(lines) : "",
                     choices_text(lines), next_step(lines, disclosure));
}

Lines lines_of_question(const Sheet& sheet, const std::string& number) {
  Lines lines;
  for (const Line& line : sheet.lines) {
    if (line.number == number) lines.push_back(line);
  }
  if (lines.empty()) {
    throw InputError(fmt::format("{} has no question {}; its last one is {}", sheet.part,
                                 in_quotes(number), sheet.lines.back().number));
  }
  return lines;
}

std::string question_text(const Lines& lines, Disclosure disclosure) {
  return fmt::format("{}\n{}\n{}", table_text(lines), how_many_answered(lines),
                     next_step(lines, disclosure));
}

std::string worksheet_json(const Sheet& sheet) {
  nlohmann::ordered_json json = {{"part", sheet.part}, {"authors", sheet.authors}};
  for (const Line& line : sheet.lines) {
    const bool hide = is_choice(line) && line.state != State::unanswered;
    json["lines"].push_back({{"number", line.number},
                             {"question", line.question},
                             {"kind", name_of(line.kind)},
                             {"answer", line.answer},
                             {"state", hide ? "answered" : name_of(line.state)},
                             {"words", line.words},
                             {"points", line.points}});
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace nbody
