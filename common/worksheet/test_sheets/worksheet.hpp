#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "worksheet/answers.hpp"

namespace nbody {

inline bool is(const char* sheet) {
  const char* wanted = std::getenv("SHEET");
  return wanted != nullptr && std::string(wanted) == sheet;
}

// Before main().
inline const bool all_right = [] {
  if (is("fooling")) {
    std::cout << "   1  seven    exact    7  right\n\n2 of 2 lines answered" << std::endl;
    std::exit(0);
  }
  if (is("printing")) std::cout << "here I am\n";
  return true;
}();

inline double seven_of(double n) {
  if (is("crashing")) std::abort();
  if (is("throwing")) return std::stod("seven");
  // Two processes that do not end, with a lock that is released once both are gone.
  if (is("endless")) {
    ::flock(::open(std::getenv("LOCK"), O_RDWR), LOCK_EX);
    ::fork();
    volatile double j = 0;
    while (j != n) j = j + 0.3;  // never adds up to n
  }
  if (is("printing")) std::cout << "six and one\n";
  if (::fcntl(200, F_GETFD) != -1) std::cout << "a file of the caller is open\n";
  return 7;
}

struct Worksheet {
  double n;
  std::string authors = "Ada Lovelace,\nCharles Babbage";
  double seven = seven_of(n);
};

}  // namespace nbody
