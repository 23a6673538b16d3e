"""Where the time goes, and why: ./lab profile, counters and vec-report."""

from nbody_lab.core.messages import stop
from nbody_lab.core.words import one_name, wants_help
from nbody_lab.explain.vec_report import explain as explain_loops
from nbody_lab.hardware import counters as perf_counters
from nbody_lab.profiles import gprof as gprof_profile
from nbody_lab.profiles import gpu as gpu_profile
from nbody_lab.programs.ranks import demand_one_process


def profile_on_gpu(lab, name, options):
    """The program itself times its kernels and copies."""
    lab.demand_name(name)
    lab.demand_gpu()
    in_double = lab.targets(name, "double") if "--double" in options else []
    lab.demand_targets(f"{lab.part}/{name}", f"bin/{lab.part}/{name}", *in_double)
    lab.unlock()
    return gpu_profile.run([lab.part, name, str(lab.build), *options])


def profile(lab, words):
    """The program of the same build with -pg in the implementation's own file (common/cmake/gprof.cmake)."""
    if wants_help(words):
        return gprof_profile.run(["--help"])
    name, options = one_name(lab.choose_part("profile", words))
    if lab.has_kernels():
        gpu_profile.run(options)
        lab.refuse_without_gpu()
    lab.begin()
    demand_one_process(lab, "profile")
    if lab.on_gpu():
        return profile_on_gpu(lab, name, options)
    gprof_profile.run(["--tools", *options])
    lab.demand_name(name)
    lab.demand_targets(
        f"{lab.part}/{name} for gprof",
        f"bin/{gprof_profile.folder_of('--debug' in options)}/{lab.part}/{name}",
    )
    lab.unlock()
    return gprof_profile.run([lab.part, name, str(lab.build), *options])


def counters(lab, words):
    name, options = one_name(lab.choose_part("counters", words))
    lab.begin()
    if lab.on_gpu():
        stop(
            f"these counters are the processor's; for the GPU's: ./lab profile {lab.part} {name} --ncu"
        )
    perf_counters.demand_counters()
    lab.demand_name(name)
    lab.demand_targets(f"{lab.part}/{name}", f"bin/{lab.part}/{name}")
    lab.unlock()
    return perf_counters.show([lab.part, name, str(lab.build), *options])


def vec_report(lab, words):
    name, options = one_name(lab.choose_part("vec-report", words))
    lab.begin()
    # Reconfigures if flags.txt has changed.
    lab.step("looking at the flags", "ninja", "-C", lab.build, "build.ninja")
    lab.demand_name(name)
    lab.unlock()
    return explain_loops([lab.part, name, str(lab.build), *options])
