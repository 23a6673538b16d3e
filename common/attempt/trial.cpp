#include "attempt/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "bench/core_use.hpp"
#include "bodies/words.hpp"
#include "command_line/table.hpp"

namespace nbody::attempt {
namespace {

std::string rate_text(const bench::Timing& timing) {
  return fmt::format("{:.3f}", timing.interactions_per_second.median / 1e9);
}
std::string spread_text(const bench::Timing& timing) {
  return fmt::format("{:.0f} %", 100 * timing.interactions_per_second.spread());
}
std::string times(double ratio) { return fmt::format("{:.2f}", ratio); }

// "row 3, mine", or "naive".
std::string name_of_before(const Trial& trial) {
  return trial.before ? fmt::format("row {}, {}", trial.before->number, trial.before->name)
                      : "naive";
}

std::string gain_text(const Gain& gain) { return (gain.estimated ? "~" : "") + times(gain.ratio); }

std::string speeds_text(const Trial& trial) {
  command_line::Table table({"program", ">10^9 interactions/s", ">spread", ">x naive"});
  const Attempt& attempt = trial.attempt;
  table.add_row({"naive", rate_text(attempt.naive), spread_text(attempt.naive), "1.00"});
  if (attempt.before) {
    table.add_row({name_of_before(trial), rate_text(*attempt.before), spread_text(*attempt.before),
                   times(trial.before_over_naive)});
  }
  table.add_row({attempt.mine.name, rate_text(attempt.mine), spread_text(attempt.mine),
                 times(trial.over_naive->ratio)});
  return table.text() +
         "  speeds: medians of all rounds; x: median of the rounds' ratios, not the ratio of the "
         "speeds\n";
}

std::string gains_text(const Trial& trial) {
  const Gain& gain = *trial.over_before;
  std::string text = fmt::format(
      "  expected  {} x {} ({:.0f} % more or less is as expected)\n  measured  {} x, {} to {} in "
      "the "
      "middle half",
      times(trial.expected), name_of_before(trial), 100 * close_enough, gain_text(gain),
      times(gain.lower), times(gain.upper));
  if (gain.estimated)
    text += "\n            ~ estimated from both speed-ups over naive: the older program is gone";
  if (gain.noisy) {
    text += "\n            rounds differ by more than 30 %: try again when the machine is quiet";
  } else if (!gain.real) {
    text += "\n            that is within the noise of this measurement";
  }
  const double cores = trial.attempt.mine.cores;
  if (cores > 0)
    text += fmt::format("\n  cores     {:.1f} in use on average while it was timed", cores);
  return text + "\n";
}

std::string conditions_text(const Trial& trial) {
  std::string text = command_line::paragraph("timed with " + trial.conditions, 2, 13);
  if (!trial.conditions_before.empty()) text += "             " + trial.conditions_before + "\n";
  return text + "\n";
}

std::optional<Gain> gain_over(const bench::Timing& mine, const bench::Timing& before) {
  return gain_of({mine.rounds, mine.neighbours}, {before.rounds, before.neighbours});
}

}  // namespace

void compare(Trial& trial) {
  Attempt& attempt = trial.attempt;
  if (!attempt.mine.fault.empty() || !attempt.busy.empty()) return;
  trial.over_naive = gain_over(attempt.mine, attempt.naive);
  if (!trial.before) {
    trial.over_before = trial.over_naive;
  } else if (attempt.before) {
    trial.over_before = gain_over(attempt.mine, *attempt.before);
    const auto before = gain_over(*attempt.before, attempt.naive);
    if (before) trial.before_over_naive = before->ratio;
  } else if (trial.over_naive) {
    trial.over_before =
        estimated_gain(trial.over_naive->ratio, attempt.mine.interactions_per_second.spread(),
                       trial.before->times_naive, trial.before->spread);
  }
  if (trial.over_naive && trial.over_before) return;
  trial.over_naive = trial.over_before = std::nullopt;
  attempt.busy = fmt::format("other programs came and went; {}", bench::what_to_do_when_busy);
}

std::string verdict_line(const Trial& trial, const std::string& name) {
  const check::Rows& rows = trial.attempt.rows;
  if (trial.attempt.wrong.empty()) return fmt::format("{}: right ({} cases)\n", name, rows.size());
  const auto failed = std::count_if(rows.begin(), rows.end(), [](const check::Row& row) {
    return row.verdict == check::Verdict::failed && row.group != check::Group::timed;
  });
  if (failed == 0) return name + ": WRONG\n";
  return fmt::format("{}: WRONG in {} of {} cases; ./lab check shows which\n", name, failed,
                     rows.size());
}

std::string verdict_of(const Trial& trial) {
  if (!trial.attempt.wrong.empty()) return "wrong: " + printable(trial.attempt.wrong);
  if (!trial.over_before) return "no verdict: the machine was busy";
  return verdict_word(trial.expected, *trial.over_before);
}

std::string trial_text(const Trial& trial, const std::string& name) {
  std::string text = verdict_line(trial, name);
  if (trial.attempt.mine.fault.empty()) text += conditions_text(trial);
  if (trial.over_before) text += speeds_text(trial) + "\n" + gains_text(trial);
  if (!trial.attempt.busy.empty()) {
    text += "  busy      " + command_line::paragraph(trial.attempt.busy, 12, 12).substr(12);
  }
  if (trial.attempt.mine.writes) {
    text +=
        "  note      it writes to standard output or error while it computes, which takes time:\n"
        "            remove the output and try again; you may delete this line of notebook.csv\n";
  }
  if (trial.attempt.wrong.empty() && trial.over_before && !trial.attempt.mine.steps_told) {
    text +=
        "  note      it is unknown whether all steps were made: two joined ones would end at the\n"
        "            same place, since float cannot tell so many apart\n";
  }
  return text + fmt::format("  verdict   {}\n", verdict_of(trial));
}

}  // namespace nbody::attempt
