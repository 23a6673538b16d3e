"""The faults that tests must find; mutate.py plants one at a time. A row: what is wrong, the file, its original text
(which must occur exactly once), the replacement, and the ctest that must fail, with a GoogleTest filter after its
name."""

from typing import NamedTuple


class Mutation(NamedTuple):
    wrong: str
    file: str
    old: str
    new: str
    test: str


MUTATIONS = (
    # Correctness.
    Mutation(
        "NaN passes a judge",
        "common/check/row.hpp",
        "error <= limit ? Verdict::passed",
        "!(error > limit) ? Verdict::passed",
        "check_test ErrorMeasure.*",
    ),
    Mutation(
        "no case at all is a pass",
        "common/check/subject.cpp",
        "return !rows.empty() &&",
        "return",
        "check_test AllPassed.*",
    ),
    Mutation(
        "tolerance of float times 100",
        "common/check/tolerance.cpp",
        '{"standard", 1e-5,',
        '{"standard", 1e-3,',
        "check_test Tolerance.*",
    ),
    Mutation(
        "tolerance of double times 100",
        "common/check/tolerance.cpp",
        '{"double", 1e-13,',
        '{"double", 1e-11,',
        "check_test Tolerance.*",
    ),
    Mutation(
        "NaN in z is not an error",
        "common/check/error_measure.cpp",
        " || !is_finite(got.z[i])) return",
        ") return",
        "check_test ErrorMeasure.*",
    ),
    Mutation(
        "a force out of nothing is not an error",
        "common/check/error_measure.cpp",
        "miss / reference.magnitude[i] : infinity;",
        "miss / reference.magnitude[i] : 0;",
        "check_test ErrorMeasure.*",
    ),
    Mutation(
        "bound of positions times 100",
        "common/check/step_bounds.cpp",
        "6 * tolerance.digits * (place",
        "600 * tolerance.digits * (place",
        "check_test StepBounds.*",
    ),
    # The reference.
    Mutation(
        "Eq. 7 takes a twentieth of the distance",
        "common/physics/reference.cpp",
        "const double d = 0.2 * distance;",
        "const double d = 0.1 * distance;",
        "physics_test TimeStep.*",
    ),
    Mutation(
        "Eq. 5 without the half, in z",
        "common/physics/reference.cpp",
        "acceleration.z[i] * dt * dt / 2;",
        "acceleration.z[i] * dt * dt;",
        "physics_test Update.*",
    ),
    Mutation(
        "the reference is not softened",
        "common/physics/reference.cpp",
        "const double r2 = d2 + softening2;",
        "const double r2 = d2 + 0 * softening2;",
        "physics_test Accelerations.*",
    ),
    # The integrators.
    Mutation(
        "yoshida4's steps do not cancel",
        "common/physics/schemes/yoshida4.cpp",
        "1 / (2 - std::cbrt(2.0))",
        "1 / (2 - std::cbrt(2.1))",
        "simulation_test Integration/EveryScheme.*",
    ),
    Mutation(
        "rk4 weighs its stages alike",
        "common/physics/schemes/rk4.cpp",
        "{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}",
        "{0.25, 0.25, 0.25, 0.25}",
        "simulation_test Integration/EveryScheme.*",
    ),
    Mutation(
        "Hermite corrects without the jerk",
        "common/simulator/integration.hpp",
        "dt / 6 * (jerk[i] - new_jerk[i])",
        "0 * (jerk[i] - new_jerk[i])",
        "simulation_test Integration/EveryScheme.*",
    ),
    Mutation(
        "a symmetric step is the first guess",
        "common/simulator/integration.hpp",
        "dt = (first + simulator_->step_by(rule)) / 2;",
        "dt = first + 0 * simulator_->step_by(rule);",
        "simulation_test Integration.*",
    ),
    Mutation(
        "each kick of a step is damped",
        "common/simulator/integration.hpp",
        "if (k == last_kick() && damping_ != 1)",
        "if (word[k].move == Move::kick && damping_ != 1)",
        "simulation_test Integration/EveryScheme.*",
    ),
    Mutation(
        "wrong kicks pass the checker",
        "common/check/judge.cpp",
        "constexpr double integrator_roundings = 5;",
        "constexpr double integrator_roundings = 5e9;",
        "check_test Integrators.*",
    ),
    Mutation(
        "every wrong move is a lost kick",
        "common/check/synthesis.cpp",
        "return by_moves || (mistake.kick == 1 && mistake.drift == 1);",
        "return true;",
        "check_test Mistakes/Synthesis.*",
    ),
    Mutation(
        "any answer is a wrong program's",
        "common/check/synthesis.cpp",
        "if (got.states.size() != other.states.size()) return false;",
        "return true;",
        "check_test Mistakes/Synthesis.*",
    ),
    Mutation(
        "what is asked does not depend on the seed",
        "common/check/case_list.hpp",
        "draw(extent.seed * 2 + (extent.in_double ? 1 : 0))",
        "draw(extent.in_double ? 1 : 0)",
        "check_test Seeds/EverySeed.*",
    ),
    Mutation(
        "multiples of a width are not asked",
        "common/check/draw.cpp",
        "{multiple - 1, multiple, multiple + 1, multiple + rest}",
        "{multiple - 1, multiple + 1, multiple + rest}",
        "check_test Seeds/EverySeed.*",
    ),
    # The clock.
    Mutation(
        "a program may lack half of its cores",
        "common/bench/core_use.cpp",
        "use.waited > much_waiting * (use.waited + use.ran)",
        "use.waited > 1e9",
        "bench_test CoreUse.*",
    ),
    Mutation(
        "halves may lead elsewhere",
        "common/bench/halves.cpp",
        "if (!(apart <= limit) ||",
        "if (",
        "bench_test Scenes/Halves.*",
    ),
    Mutation(
        "the last single step is not judged",
        "common/bench/halves.cpp",
        "if (timed.request.steps == 1) verdict.wrong",
        "if (timed.request.steps == 7) verdict.wrong",
        "bench_test Scenes/Halves.*",
    ),
    Mutation(
        "rounds beside other neighbours are compared",
        "common/bench/statistics.hpp",
        "most_change_of_neighbours = 0.5;",
        "most_change_of_neighbours = 1e9;",
        "bench_test Ratios.*",
    ),
    # Input.
    Mutation(
        "a body file may hold mass 0",
        "common/bodies/body_file.cpp",
        "mass_column && !(*value > 0))",
        "mass_column && *value < 0)",
        "bodies_test BadBodyFile.*",
    ),
    Mutation(
        "the unit of time ignores G",
        "common/bodies/units.cpp",
        "- units.mass - std::ilogb(G));",
        "- units.mass);",
        "bodies_test Units.*",
    ),
    Mutation(
        "any length of a header is believed",
        "common/protocol/session.cpp",
        "received.size() < max_header_size",
        "true",
        "protocol_session_test Rows/Faults.GetTheirSentence/long_header",
    ),
    Mutation(
        "an answer of another shape is taken",
        "common/protocol/session.cpp",
        "header.shape.bodies == wanted.bodies",
        "true",
        "protocol_session_test Rows/Faults.GetTheirSentence/*_bodies",
    ),
    Mutation(
        "bytes after a message are taken",
        "common/protocol/wire.hpp",
        "came == expected",
        "came >= expected",
        "protocol_messages_test Message.*",
    ),
    Mutation(
        "a signal goes to another process",
        "common/protocol/process_tree.cpp",
        " || now.start != found.start",
        "",
        "protocol_session_test ProcessTree.*",
    ),
    Mutation(
        "other children of the process die, too",
        "common/protocol/process_tree.cpp",
        "tells && !has_renounced_privileges(process.number)",
        "tells && false",
        "protocol_session_test ChildProcess.*",
    ),
    Mutation(
        "a galaxy drifts away",
        "common/bodies/scene_galaxy.cpp",
        "value -= sum / total;",
        "value -= 0 * sum / total;",
        "physics_test GalaxyScene.*",
    ),
    # Work and speed.
    Mutation(
        "a square root is counted as nothing",
        "common/work/counting_number.hpp",
        "count(&work::Counts::sqrt);\n  return std::sqrt(x.taken());",
        "return std::sqrt(x.taken());",
        "counting_number_test CountingNumber.*",
    ),
    Mutation(
        "numbers in registers count as loads",
        "common/work/counting_number.hpp",
        "work::heap.contains(this)) ++work::work_so_far.loads;",
        "true) ++work::work_so_far.loads;",
        "counting_number_test CountingNumber.*",
    ),
    Mutation(
        "start-up counts as time of the steps",
        "common/bench/step_time.cpp",
        "slope = products / squares,",
        "slope = t_mean / x_mean,",
        "bench_test StepTime.*",
    ),
    Mutation(
        "only one of 16 passes through L1 is counted",
        "common/machine/streams.cpp",
        "static_cast<double>(piece) * times *",
        "static_cast<double>(piece) *",
        "measure_test Streams.*",
    ),
    Mutation(
        "the roof is the larger of peak and slope",
        "part1_standard_opti/questions.json",
        "min(paper.peak, intensity * paper.bandwidth)",
        "max(paper.peak, intensity * paper.bandwidth)",
        "part1_standard_opti/questions_test.py",
    ),
    # Feedback to students.
    Mutation(
        "a truth of the worksheet is twice as large",
        "part1_standard_opti/questions.json",
        '"truth": "3 * n"',
        '"truth": "6 * n"',
        "part1_standard_opti/questions_test.py",
    ),
    # Tools.
    Mutation(
        "a compiler that is too old is taken",
        "common/setup/setup.sh",
        "oldest_gcc=11",
        "oldest_gcc=9",
        "common/lab/tests/house/setup_test.py",
    ),
    # Kernels on the CPU.
    Mutation(
        "shared memory keeps what a block wrote",
        "common/cuda_on_cpu/launch.cpp",
        "if (this_block().is_fresh(variable))",
        "if (false)",
        "cuda_on_cpu_test KernelOnCpu.WhatNobody*",
    ),
    Mutation(
        "threads at different barriers go on",
        "common/cuda_on_cpu/block.cpp",
        "where.column() != first.column()) return false;",
        "where.column() != first.column()) continue;",
        "cuda_on_cpu_test KernelOnCpu.TwoBarr*",
    ),
    Mutation(
        "lanes show what they had shown before",
        "common/cuda_on_cpu/block.cpp",
        "        shown = all_[other]->shown;\n",
        "",
        "cuda_on_cpu_test KernelOnCpu.Lanes*",
    ),
)
