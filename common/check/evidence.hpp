#pragma once

#include <string>
#include <vector>

#include "check/diagnosis.hpp"

namespace nbody::check {

// What the answers show by themselves, whatever formula is wrong: each returns a cause that is
// known, or none.

// Races, memory that was never written and places beyond an array's end: which of them shows is
// chance, so they have one name.
inline constexpr const char* undefined_behaviour = "undefined_behaviour";

// The answer to an earlier request, or what was left of it in memory.
Cause about_earlier_requests(const Record& record, const std::vector<const Failure*>& sample);

// The program is asked again: does its answer change by itself, or with the number of threads? If
// by itself, the row says so, too.
Cause about_repeats(Subject& subject, const Record& record, const Failure& failure,
                    const std::vector<const Failure*>& failures, Row& row);

// Is it right in a program that has just started? Then something is left of an earlier request.
Cause about_kept(const Subject& subject, const Record& record, const Failure& failure,
                 bool answers_change);

// Is it right each of several times? Other threads or ranks than the case's may be asked for.
bool always_right(Subject& subject, const Case& test, const Request& request);

// Wrong on this number of threads, always alike, and right on one.
Cause about_number_of_threads(const Case& test, const std::vector<const Failure*>& failures);

// Wrong on other numbers of ranks than the usual one: in which of its aspects?
Cause about_numbers_of_ranks(unsigned usual, const std::vector<const Failure*>& failures);

// Wrong if and only if some ranks have one body more than others.
Cause about_remainders(unsigned ranks, const std::vector<const Failure*>& failures,
                       const std::vector<const Case*>& passed);

// Is it right on one rank?
Cause about_one_rank(const Subject& subject, const std::vector<const Failure*>& failures);

// Smallest first: is every error so small that no pull is missing?
Cause about_little(const std::vector<const Failure*>& failures, const Rows& rows);

// Forces only: are nearly all wrong, but those of two or three bodies, where nothing cancels, only
// in their last digits?
Cause about_digits(const std::vector<const Failure*>& failures,
                   const std::vector<const Case*>& passed, const Rows& rows);

// For which numbers of bodies is it wrong?
Cause about_sizes(const std::vector<const Failure*>& failures,
                  const std::vector<const Case*>& passed);

}  // namespace nbody::check
