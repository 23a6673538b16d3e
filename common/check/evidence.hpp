#pragma once

#include <string>
#include <vector>

#include "check/diagnosis.hpp"

namespace nbody::check {

// What the answers show by themselves, whatever formula is wrong: each returns a sentence, or "".

// The answer to an earlier request, or what was left of it in memory.
std::string about_earlier_requests(const Record& record, const std::vector<const Failure*>& sample);

// The program is asked again: does its answer change by itself, or with the number of threads or
// ranks? If by itself, the row says so, too.
std::string about_repeats(Subject& subject, const Record& record, const Failure& failure, Row& row);

// Is it right in a program that has just started? Then something is left of an earlier request.
std::string about_kept(const Subject& subject, const Record& record, const Failure& failure,
                       bool answers_change);

// Wrong if and only if some ranks have one body more than others.
std::string about_remainders(unsigned ranks, const std::vector<const Failure*>& failures,
                             const std::vector<const Case*>& passed);

// Is it right on one rank?
std::string about_one_rank(const Subject& subject, const Failure& failure);

// Smallest first: is every error so small that no pull is missing?
std::string about_little(const std::vector<const Failure*>& failures, const Rows& rows);

// Forces only: are nearly all wrong, but those of two or three bodies, where nothing cancels, only
// in their last digits?
std::string about_digits(const std::vector<const Failure*>& failures,
                         const std::vector<const Case*>& passed, const Rows& rows);

// For which numbers of bodies is it wrong?
std::string about_sizes(const std::vector<const Failure*>& failures,
                        const std::vector<const Case*>& passed);

}  // namespace nbody::check
