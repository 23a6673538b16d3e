// What gnuplot is told to draw, and the program that tells it.
#include <gtest/gtest.h>

#include "bench/result_file.hpp"
#include "bench/test_results.hpp"
#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"
#include "bodies/scenes.hpp"
#include "report/bench_plots.hpp"
#include "report/orbit_plot.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

using Words = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

BenchResult swept(const std::vector<std::size_t>& sizes, const std::vector<unsigned>& threads) {
  BenchResult result{test_context(), {}};
  for (const std::size_t n : sizes) {
    for (const unsigned count : threads) {
      result.rows.push_back(test_row("naive", {n, count, "float"}, 1e9));
      result.rows.push_back(test_row("other", {n, count, "float"}, 2e9 * count));
    }
  }
  return result;
}

Words names_of(const std::vector<Picture>& pictures) {
  Words names;
  for (const Picture& picture : pictures) names.push_back(picture.name);
  return names;
}

TEST(Plots, PicturesFollowWhatWasSwept) {
  EXPECT_EQ(names_of(pictures_of(swept({100}, {1}))), Words{"ladder"});
  EXPECT_EQ(names_of(pictures_of(swept({100, 200}, {1}))), (Words{"ladder", "time", "ratio"}));
  EXPECT_EQ(names_of(pictures_of(swept({100}, {1, 2}))), (Words{"ladder", "threads"}));
}

TEST(Plots, OfADeviceWhatWasSweptAndItsPeak) {
  BenchResult result{test_context(), {}};
  result.context.device = "Abacus GPU (2 SM), built with CUDA 13.0, driver 1";
  for (const unsigned block : {32u, 64u}) {
    for (const std::size_t n : {100, 200}) {
      result.rows.push_back(test_row("tiles", {n, 1, "float", {block, 0}}, 1e9 * block));
    }
  }
  EXPECT_EQ(names_of(pictures_of(result)), (Words{"ladder", "time", "ratio", "block"}));
  result.context.device_peak = 4 * 20 * 32e9;
  const auto pictures = pictures_of(result);
  EXPECT_EQ(names_of(pictures), (Words{"ladder", "time", "ratio", "block", "flops"}));
  const Picture& block = pictures[3];
  EXPECT_TRUE(contains(block.data, "# tiles, N = 200\n32 32 31.36 32.64\n64 64 62.72 65.28\n"))
      << block.data;
  EXPECT_FALSE(contains(block.caption, "CUDA")) << block.caption;
  const Picture& flops = pictures[4];
  EXPECT_TRUE(contains(flops.data, "# tiles, blocks of 64\n100 1280 50\n")) << flops.data;
}

TEST(Plots, LadderHasBarsWithWhiskers) {
  const Picture ladder = pictures_of(swept({100}, {1})).front();
  EXPECT_TRUE(contains(ladder.data, "\n\"other\" 2 1.96 2.04 \"2.00x (2.00)\"\n")) << ladder.data;
  EXPECT_TRUE(contains(ladder.commands, "with xerrorbars")) << ladder.commands;
}

TEST(Plots, WhatWasWrongIsNoBarToCompareWith) {
  BenchResult result = swept({100}, {1});
  result.rows[1].verdict = "WRONG";
  result.rows.push_back(test_row("third", {100, 1, "float"}, 4e9));
  const std::string data = pictures_of(result).front().data;
  EXPECT_TRUE(contains(data, "\n\"naive\" 1 0.98 1.02 \"1.00x\"\n")) << data;
  EXPECT_TRUE(contains(data, "\"2.00x (2.00)\"\n")) << data;
  EXPECT_TRUE(contains(data, "\"4.00x (4.00)\"\n")) << data;
}

TEST(Plots, WhatWasNotMeasuredIsNotDrawn) {
  BenchResult result = swept({100}, {1});
  result.rows[1].rate = {};
  EXPECT_FALSE(contains(pictures_of(result).front().data, "other"));
  result.rows[0].rate = {};
  EXPECT_TRUE(pictures_of(result).empty());
}

TEST(Plots, TimeAndRatioByN) {
  const auto pictures = pictures_of(swept({100, 200}, {1}));
  // 100^2 interactions at 2e9 a second: 0.005 ms.
  EXPECT_TRUE(contains(pictures[1].data, "# other\n100 0.005 ")) << pictures[1].data;
  EXPECT_TRUE(contains(pictures[1].commands, "set logscale y"));
  EXPECT_TRUE(contains(pictures[1].commands, "time of an iteration (ms)"));
  EXPECT_TRUE(contains(pictures[2].commands, "in multiples of naive"));
  EXPECT_TRUE(contains(pictures[2].commands, "set key outside"));
}

TEST(Plots, ThreadsAgainstOneThread) {
  const Picture threads = pictures_of(swept({100, 200}, {1, 2})).back();
  EXPECT_TRUE(contains(threads.data, "# other\n1 1\n2 2\n")) << threads.data;
  EXPECT_TRUE(contains(threads.commands, "title 'ideal'"));
  EXPECT_TRUE(contains(threads.commands, "N = 200")) << threads.commands;
}

TEST(Plots, CaptionNamesMachineAndDate) {
  const std::string script = script_of(pictures_of(swept({100}, {1})).front());
  EXPECT_TRUE(contains(script, "Abacus 2, g++ 12;")) << script;
  EXPECT_TRUE(contains(script, "2026-11-21")) << script;
}

TEST(Plots, ANameMayHoldAQuote) { EXPECT_EQ(quoted("it's"), "'it''s'"); }

TEST(Plots, NeighboursDifferInColourAndPoint) {
  for (std::size_t k = 0; k < 40; ++k) EXPECT_NE(line_style(k), line_style(k + 1));
  EXPECT_TRUE(contains(line_style(0), "#000000' dt 1"));
  EXPECT_TRUE(contains(line_style(7), "#000000' dt 2"));  // the colour again, with another dash
}

void write_orbit(const std::filesystem::path& base, int iterations, double step) {
  Scene scene = make_scene("two-body", 0, 1);
  for (int k = 0; k <= iterations; ++k) {
    scene.bodies.qx[0] = step * k;
    write_body_file(base.string() + "." + std::to_string(k) + ".dat", scene);
  }
}

TEST(Orbits, InOrderOfIterationsWithOneScale) {
  const TestFolder folder;
  write_orbit(folder / "out", 11, 2);
  write_text(folder / "out_orbits.dat", "no body file");
  const Picture picture = orbit_picture(folder / "out");
  EXPECT_EQ(picture.name, "out_orbits");
  EXPECT_TRUE(contains(picture.data, "\n18 ")) << picture.data;
  EXPECT_LT(picture.data.find("\n4 "), picture.data.find("\n20 ")) << picture.data;
  EXPECT_TRUE(contains(picture.commands, "set size ratio -1"));
  EXPECT_TRUE(contains(picture.caption, "iterations 0 to 11"));
}

TEST(Orbits, FilesThatDoNotFitAreRefused) {
  const TestFolder folder;
  EXPECT_THROW(orbit_picture(folder / "nothing"), InputError);
  write_orbit(folder / "out", 1, 1);
  write_body_file(folder / "out.2.dat", make_scene("six", 0, 1));
  try {
    orbit_picture(folder / "out");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_TRUE(contains(error.what(), "out.2.dat: 6 bodies, but 2 in the files before it"));
  }
}

Outcome plot(const Words& arguments, const std::string& path = "") {
  Words words = {PLOT_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return Command(words,
                 [path] {
                   if (!path.empty()) setenv("PATH", path.c_str(), 1);
                 })
      .wait();
}

TEST(PlotProgram, WithoutGnuplotTheDataStay) {
  const TestFolder folder;
  write_text(folder / "result.json",
             result_json(swept({100}, {1}), R"({"context": {}, "benchmarks": []})"));
  const Outcome run =
      plot({"bench", folder / "result.json", folder / "pictures"}, folder / "no_such_folder");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "install gnuplot-nox")) << run.out;
  EXPECT_EQ(folder.contents(),
            (Words{"pictures", "pictures/ladder.dat", "pictures/ladder.gp", "result.json"}));
}

TEST(PlotProgram, WithGnuplotThereArePictures) {
  if (std::system("command -v gnuplot >/dev/null") != 0) GTEST_SKIP() << "gnuplot is not there";
  const TestFolder folder;
  write_text(folder / "result.json",
             result_json(swept({100, 200}, {1, 2}), R"({"context": {}, "benchmarks": []})"));
  write_orbit(folder / "out", 3, 1);
  for (const Words& words :
       {Words{"bench", folder / "result.json", folder / "it's"}, Words{"orbits", folder / "out"}}) {
    const Outcome run = plot(words);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.err, "");  // gnuplot warns there
  }
  for (const char* name :
       {"it's/ladder", "it's/time", "it's/ratio", "it's/threads", "out_orbits"}) {
    const std::string picture = folder / name;
    EXPECT_TRUE(contains(text_of(picture + ".svg"), "</svg>")) << name;
    EXPECT_EQ(text_of(picture + ".png").substr(1, 3), "PNG") << name;
  }
}

TEST(PlotProgram, UsageErrorsAreOneLineAndStatus2) {
  for (const Words& words :
       {Words{}, Words{"bench"}, Words{"orbits"}, Words{"bench", "/no.json", "x"},
        Words{"orbits", "/no/such/base"}, Words{"nonsense", "x"}}) {
    const Outcome run = plot(words);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.err.rfind("plot: ", 0), 0u) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  }
}

}  // namespace
}  // namespace nbody
