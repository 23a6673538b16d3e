"""Faults that a test must find: mutate.py plants one at a time. A row is what is then wrong, the file, its text (which
stands there exactly once), the text in its place, and the test that must fail: NAME of ctest, and of a GoogleTest
program the cases behind it."""

from typing import NamedTuple


class Mutation(NamedTuple):
    wrong: str
    file: str
    old: str
    new: str
    test: str


MUTATIONS = (
    # Is it right?
    Mutation("NaN passes a judge", "common/check/row.hpp",
             "error <= limit ? Verdict::passed", "!(error > limit) ? Verdict::passed", "check_test ErrorMeasure.*"),
    Mutation("no case at all is a pass", "common/check/subject.cpp",
             "return !rows.empty() &&", "return", "check_test AllPassed.*"),
    Mutation("tolerance of float times 100", "common/check/tolerance.cpp",
             '{"standard", 1e-5,', '{"standard", 1e-3,', "check_test Tolerance.*"),
    Mutation("tolerance of double times 100", "common/check/tolerance.cpp",
             '{"double", 1e-13,', '{"double", 1e-11,', "check_test Tolerance.*"),
    Mutation("NaN in z is no error", "common/check/error_measure.cpp",
             " || !is_finite(got.z[i])) return", ") return", "check_test ErrorMeasure.*"),
    Mutation("a force out of nothing is no error", "common/check/error_measure.cpp",
             "miss / reference.magnitude[i] : infinity;", "miss / reference.magnitude[i] : 0;", "check_test ErrorMeasure.*"),
    Mutation("bound of positions times 100", "common/check/step_bounds.cpp",
             "6 * tolerance.digits * (place", "600 * tolerance.digits * (place", "check_test StepBounds.*"),
    # The truth.
    Mutation("Eq. 7 takes a twentieth of the distance", "common/physics/reference.cpp",
             "const double d = 0.2 * distance;", "const double d = 0.1 * distance;", "physics_test TimeStep.*"),
    Mutation("Eq. 5 without the half, in z", "common/physics/reference.cpp",
             "acceleration.z[i] * dt * dt / 2;", "acceleration.z[i] * dt * dt;", "physics_test Update.*"),
    Mutation("the reference is not softened", "common/physics/reference.cpp",
             "const double r2 = d2 + softening2;", "const double r2 = d2 + 0 * softening2;", "physics_test Accelerations.*"),
    # The integrators.
    Mutation("yoshida4's steps do not cancel", "common/physics/schemes/yoshida4.cpp",
             "1 / (2 - std::cbrt(2.0))", "1 / (2 - std::cbrt(2.1))", "simulation_test Integration/EveryScheme.*"),
    Mutation("rk4 weighs its stages alike", "common/physics/schemes/rk4.cpp",
             "{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}", "{0.25, 0.25, 0.25, 0.25}", "simulation_test Integration/EveryScheme.*"),
    Mutation("Hermite corrects without the jerk", "common/simulator/integration.hpp",
             "dt / 6 * (jerk[i] - new_jerk[i])", "0 * (jerk[i] - new_jerk[i])", "simulation_test Integration/EveryScheme.*"),
    Mutation("a symmetric step is the first guess", "common/simulator/integration.hpp",
             "dt = (first + simulator_->step_by(rule)) / 2;", "dt = first + 0 * simulator_->step_by(rule);",
             "simulation_test Integration.*"),
    Mutation("each kick of a step is damped", "common/simulator/integration.hpp",
             "if (k == last_kick() && damping_ != 1)", "if (word[k].move == Move::kick && damping_ != 1)",
             "simulation_test Integration/EveryScheme.*"),
    Mutation("wrong kicks pass the checker", "common/check/schemes.cpp",
             "constexpr double roundings = 5;", "constexpr double roundings = 5e9;", "check_test Integrators.*"),
    Mutation("every wrong move is a lost kick", "common/check/schemes.cpp",
             "scene, tolerance) <= 4) return", "scene, tolerance) <= 4e9) return", "check_test Integrators.*"),
    Mutation("the jerk is asked of those without it", "common/check/schemes.cpp",
             "return !scheme.needs_jerk() || (hello && hello->has_jerk);", "return !scheme.needs_jerk() || hello;", "check_test Integrators.*"),
    # What comes from outside.
    Mutation("a body file may hold mass 0", "common/bodies/body_file.cpp",
             "&bodies.mass && !(*value > 0))", "&bodies.mass && *value < 0)", "bodies_test BadBodyFile.*"),
    Mutation("the unit of time ignores G", "common/bodies/units.cpp",
             "- units.mass - std::ilogb(G));", "- units.mass);", "bodies_test Units.*"),
    Mutation("any length of a message is believed", "common/protocol/frame.cpp",
             'if (header.payload_size > max_payload_size) {\n    throw ProtocolError(fmt::format("the header',
             'if (false) {\n    throw ProtocolError(fmt::format("the header', "protocol_messages_test Frame.*"),
    Mutation("bytes behind a message are taken", "common/protocol/frame.cpp",
             "header.payload_size != size || payload.size() != size", "header.payload_size > size || payload.size() > size",
             "protocol_messages_test RequestMessage.*"),
    Mutation("a galaxy drifts away", "common/bodies/scene_galaxy.cpp",
             "value -= sum / total;", "value -= 0 * sum / total;", "bodies_test GalaxyScene.*"),
    Mutation("an export loses digits", "common/lab/export_xyz.py",
             "*map(repr, numbers)", '*map("{:.15g}".format, numbers)', "export_test"),
    # How much work, how fast?
    Mutation("a square root is counted as nothing", "common/work/counting_number.hpp",
             "count(&Counts::sqrt);\n  return std::sqrt(x.taken());", "return std::sqrt(x.taken());",
             "counting_number_test CountingNumber.*"),
    Mutation("numbers in registers count as loads", "common/work/counting_number.hpp",
             "heap.contains(this)) ++work_so_far.loads;", "true) ++work_so_far.loads;", "counting_number_test CountingNumber.*"),
    Mutation("start-up counts as time of the steps", "common/bench/step_time.cpp",
             "slope = products / squares,", "slope = t_mean / x_mean,", "bench_test StepTime.*"),
    Mutation("of 16 times through L1 one is counted", "common/machine/streams.cpp",
             "static_cast<double>(piece) * times *", "static_cast<double>(piece) *", "measure_test Streams.*"),
    Mutation("a rate that spreads is a ceiling", "common/lab/ceilings.py",
             'if not row["why_not"] and not row["spread"] <= LARGEST_SPREAD:', 'if not row["why_not"] and row["spread"] > 9:', "ceilings_test"),
    Mutation("memory may be faster than a cache", "common/lab/ceilings.py",
             'if far["best"] > near["best"] *', 'if far["best"] > 9 * near["best"] *', "ceilings_test"),
    Mutation("the roof is the larger of peak and slope", "part1_standard_opti/questions.json",
             "min(paper.peak, intensity * paper.bandwidth)", "max(paper.peak, intensity * paper.bandwidth)", "part1_questions_test"),
    # What a student hears.
    Mutation("a truth of the worksheet is twice as large", "part1_standard_opti/questions.json",
             '"truth": "3 * n"', '"truth": "6 * n"', "part1_questions_test"),
    Mutation("the worksheet's tolerance times 100", "common/lab/worksheet/slips.py",
             "<= tolerance * abs(truth) + 1e-9", "<= 100 * tolerance * abs(truth) + 1e-9", "part1_questions_test"),
    Mutation("whoever asks sees counts that are a riddle", "common/lab/worksheet/sheet.py",
             "return all(line.state == RIGHT for line in", "return True or all(line.state == RIGHT for line in", "part1_questions_test"),
    Mutation("what a worksheet started outlives it", "common/lab/worksheet/student_program.py",
             "os.killpg(process.pid, signal.SIGKILL)", "process.kill()", "student_program_test"),
    Mutation("a questions file may hold any Python", "common/lab/worksheet/expression.py",
             "refuse_unless_allowed(node, text)\n", "pass\n", "expression_test"),
    Mutation("rows of the notebook share a number", "common/lab/notebook.py",
             "return 1 + max((min(typed(row)", "return max((min(typed(row)", "notebook_test"),
    Mutation("a broken tool counts as a broken header", "common/lab/explain_failure.py",
             "return 1 if all(failed.is_implementation()", "return 1 if any(failed.is_implementation()", "explain_failure_test"),
    Mutation("the third hint stays shut", "common/lab/hint.py",
             "for stage in range(1, STAGES + 1):", "for stage in range(1, STAGES):", "hint_test"),
    Mutation("a task that is done stays the next one", "common/lab/next_task.py",
             "return answered < wanted", "return answered <= wanted", "next_task_test"),
    # What runs the lab.
    Mutation("the manifest gives rows of every kind", "common/lab/manifest.py",
             'row["part"] == part and kind in (None, row["kind"])', 'row["part"] == part', "manifest_test"),
    Mutation("what a suite started outlives its budget", "common/lab/budget.py",
             "(self.leader in (pid, session) or parent in self.known)", "self.leader in (pid, session)", "suites_test"),
    Mutation("a roofline blames the highest limit", "common/lab/roofline_model.py",
             "lowest = min(limits, key", "lowest = max(limits, key", "roofline_rule_test"),
    Mutation("a roofline calls nothing waiting", "common/lab/roofline_model.py", "BUSY = 0.6", "BUSY = 0.0", "roofline_model_test"),
    Mutation("a point above its roof is not flagged", "common/lab/roofline_model.py", "ABOVE = 1.05", "ABOVE = 9.0", "roofline_model_test"),
    Mutation("hidden counts have a point", "common/lab/roofline_points.py",
             "for name in hidden_counts(lab) if name in names", "for name in ()", "roofline_command_test"),
    Mutation("a stale table of a document is accepted", "docs/make_tables.py",
             "return 1 if stale and arguments else 0", "return 0", "make_tables_test"),
    Mutation("a compiler that is too old is taken", "common/setup/setup.sh", "oldest_gcc=11", "oldest_gcc=9", "setup_test"),
)
