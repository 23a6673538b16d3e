#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"

namespace nbody {
namespace {

std::string message_for(std::string_view text) {
  try {
    parse_bodies(text, "f.dat");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(BadBodyFile, WithoutANumberOfBodies) {
  const char* const nothing =
      "f.dat:1: no bodies here: start with their number N, then write N records";
  EXPECT_EQ(message_for(""), nothing);
  EXPECT_EQ(message_for("# 3\n"), nothing);
  EXPECT_EQ(message_for("\n\n \r\n"), nothing);
}

TEST(BadBodyFile, WithANumberThatCountsNothing) {
  const std::string advice =
      " is not a number of bodies: start with a whole number N, then write N records";
  EXPECT_EQ(message_for("bodies\n"), "f.dat:1: 'bodies'" + advice);
  EXPECT_EQ(message_for("\n# N\n3.0 1 1 1 1 1 1 1 1"), "f.dat:3: '3.0'" + advice);
  EXPECT_EQ(message_for("-1\n1 1 1 1 1 1 1 1"), "f.dat:1: '-1'" + advice);
  EXPECT_EQ(message_for("1e3"), "f.dat:1: '1e3'" + advice);
  EXPECT_EQ(message_for("0x2"), "f.dat:1: '0x2'" + advice);
  EXPECT_EQ(message_for("0\n"), "f.dat:1: N is 0, but at least 1 body is needed: correct N");
}

TEST(BadBodyFile, WithAnAbsurdNumber) {
  const std::string advice = ", but at most 134217728 bodies are possible: correct N";
  EXPECT_EQ(message_for("134217729\n"), "f.dat:1: N is '134217729'" + advice);
  EXPECT_EQ(message_for("99999999999999999999999999999999999999\n"),
            "f.dat:1: N is '999999999999999999999999999999'..." + advice);
}

TEST(BadBodyFile, WithTooFewRecords) {
  EXPECT_EQ(
      message_for("3\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1\n\n# end\n"),
      "f.dat:4: the file ends after 2 records and 2 numbers, but N is 3: add what is missing or "
      "correct N");
  EXPECT_EQ(
      message_for("1"),
      "f.dat:1: the file ends after 0 records and 0 numbers, but N is 1: add what is missing or "
      "correct N");
  // Would need 8 GiB if the number were believed.
  EXPECT_EQ(message_for("134217728\n1 1 1 1 1 1 1 1"),
            "f.dat:2: the file ends after 1 records and 0 numbers, but N is 134217728: add what is "
            "missing or correct N");
}

TEST(BadBodyFile, WithTooManyRecords) {
  EXPECT_EQ(
      message_for("1\n1 1 1 1 1 1 1 1\n\n2.5 1 1"),
      "f.dat:4: '2.5' follows the last record, because N is 1: remove the surplus or correct N");
}

TEST(BadBodyFile, WithAWordThatIsNoFiniteNumber) {
  const std::string advice = ", not a finite decimal number: write it like 1.5e3";
  const auto expect = [&](const std::string& word, const std::string& shown) {
    EXPECT_EQ(message_for(fmt::format("1\n1 1 {} 1 1 1 1 1\n", word)),
              fmt::format("f.dat:2: qx of record 1 is {}{}", shown, advice));
  };
  for (const char* word :
       {"abc",   "nan",    "NaN",    "inf", "-inf", "infinity", "0x10",  "0x1p3",
        "1e999", "-1e999", "1e-999", "1e",  "1,5",  "1.5f",     "1d3",   "--1",
        "+-1",   "++1",    "+",      "-",   ".",    "e5",       "1_000", "nan(1)"}) {
    expect(word, fmt::format("'{}'", word));
  }
  expect(std::string("1\0", 2), "'1\\x00'");
  expect("\x80\xff\x1b[31m", "'\\x80\\xff\\x1b[31m'");
  expect(std::string(1000, 'x'), fmt::format("'{:x<30}'...", ""));
}

TEST(BadBodyFile, WithAValueThatNoBodyHas) {
  EXPECT_EQ(message_for("2\n1 1 1 1 1 1 1 1\n0 1 1 1 1 1 1 1"),
            "f.dat:3: mass of record 2 is '0', but a mass must be above 0");
  EXPECT_EQ(message_for("1\n-5e3 1 1 1 1 1 1 1"),
            "f.dat:2: mass of record 1 is '-5e3', but a mass must be above 0");
  EXPECT_EQ(message_for("1\n1 -1e-5 1 1 1 1 1 1"),
            "f.dat:2: radius of record 1 is '-1e-5', but a radius must not be negative");
}

TEST(BadBodyFile, WithABadFirstLine) {
  const auto expect = [](const std::string& keys, const std::string& message) {
    EXPECT_EQ(message_for("# nbody-lab: " + keys + "\n1\n1 1 1 1 1 1 1 1\n"),
              "f.dat:1: " + message);
  };
  expect("G=1 g=2",
         "unknown key 'g' in the nbody-lab line: known are G, soft, dt, mdt, time, "
         "damping, integrator");
  expect("=2",
         "unknown key '' in the nbody-lab line: known are G, soft, dt, mdt, time, damping, "
         "integrator");
  expect("integrator=", "integrator has no value: write integrator=NAME without spaces");
  expect("integrator=kdk integrator=dkd", "integrator is given twice: remove one");
  expect("damping=1.5", "damping is '1.5', but must be between 0 and 1");
  expect("dt", "dt has no value: write dt=NUMBER without spaces");
  expect("dt = 5", "dt has no value: write dt=NUMBER without spaces");
  expect("dt=", "dt is '', not a finite decimal number: write it like dt=1.5e3");
  expect("time=nan", "time is 'nan', not a finite decimal number: write it like time=1.5e3");
  expect("dt=5 dt=5", "dt is given twice: remove one");
  expect("dt=0", "dt is '0', but must be above 0");
  expect("soft=-1", "soft is '-1', but must not be negative");
  expect("G=-1", "G is '-1', but must not be negative");
  expect("mdt=-1", "mdt is '-1', but must not be negative");
}

TEST(BadBodyFile, WithANameThatIsNotPrintable) {
  try {
    parse_bodies("x", "two\nlines");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("two\\x0alines:1: 'x' is not a number", 0), 0u);
  }
}

}  // namespace
}  // namespace nbody
