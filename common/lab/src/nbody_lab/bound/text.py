"""The text that ./lab bound prints."""

from nbody_lab.core.screen import SCREEN, wrapped
from nbody_lab.hardware.cores import CORES
from nbody_lab.programs.quick_bench import busy_words

BAR = 30  # length of the fullest port's bar


def number(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def many(amount, word):
    return f"{amount:g} {word}{'' if amount == 1 else 's'}"


def kind_rows(loop, interactions, counted):
    """Rows (kind, instructions in the loop, operations per interaction there, in the source)."""
    rows = []
    for kind in dict.fromkeys([*loop["by_kind"], *(kind for kind in counted if counted[kind])]):
        there, done = loop["by_kind"].get(kind), loop["operations"].get(kind)
        rows.append(
            (
                kind,
                str(there) if there else "",
                number(done / interactions) if done else "",
                number(counted[kind]) if counted.get(kind) else "",
            )
        )
    return rows


def kinds_text(found):
    loop, counted = found["loop"], found["counted"]
    heads = (
        "instructions by kind",
        "in the loop",
        "results per interaction",
        "as counted in the source" if counted else "",
    )
    rows = kind_rows(loop, found["interactions_per_iteration"], counted)
    several = any(
        loop["operations"].get(kind, 0) > (2 if kind == "multiply and add" else 1) * there
        for kind, there in loop["by_kind"].items()
    )
    wide = ["  (a vector instruction has several results)"] if several else []
    return [f"  {a:<28}{b:>12}{c:>25}{d:>26}".rstrip() for a, b, c, d in [heads, *rows]] + wide


def ports_text(found):
    most = max(found["ports"].values(), default=0)
    alone = (
        ", without the loops beside it" if any(other["times"] for other in found["beside"]) else ""
    )
    lines = [f"  ports of {found['core']}, cycles per iteration{alone} ({found['tool']})"]
    for port, cycles in found["ports"].items():
        if cycles:
            full = "  full" if port in found["full_ports"] else ""
            lines.append(
                f"  {port:>14} {cycles:7.2f}  {'#' * max(1, round(BAR * cycles / most))}{full}"
            )
    return lines


def chain_text(found):
    """Other limits of an iteration."""
    lines = []
    if found["front_end_cycles"]:
        lines.append(
            f"  {'front end':>14} {found['front_end_cycles']:7.2f}  instructions cannot start faster"
        )
    if found["chain_cycles"]:
        lines.append(
            f"  {'chain':>14} {found['chain_cycles']:7.2f}  from one iteration to the next: {chain_words(found['chain'])}"
        )
    return lines


def chain_words(chain):
    names = [line.split()[0] for line in chain]
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def remarks(found):
    """What the bound leaves out or assumes."""
    lines = [f"  {better_tool(found)}"] if better_tool(found) else []
    if instead(found):
        lines.append(f"  {instead(found)}")
    if found["borrowed"]:
        lines.append(
            f"  {many(len(found['borrowed']), 'instruction')} counted by an older core's ports, the only ones OSACA knows for them"
        )
    if found["unknown"]:
        names = ", ".join(
            dict.fromkeys(line.replace("lock ", "lock-").split()[0] for line in found["unknown"])
        )
        lines.append(
            f"  not counted, unknown to the tool: {names} ({len(found['unknown'])} in all); the bound is too optimistic"
        )
    if found["loop"]["calls"]:
        lines.append(
            f"  it calls {', '.join(dict.fromkeys(found['loop']['calls']))}(), whose instructions are not counted; the bound is too optimistic"
        )
    for other in found["beside"]:
        share = (
            f"{many(other['times'], 'time')} per iteration, {other['cycles']:.2f} cycles each ({named(other['limit'])})"
            if other["times"]
            else "how often it runs is unknown: not counted"
        )
        lines.append(f"  beside it a loop of {other['instructions']} instructions: {share}")
    return lines


def named(limit):
    return f"port {limit}" if limit.isdigit() else limit


def taken_words(found):
    """How many cycles each limit takes; '' if there is only one."""
    taken = found.get("taken_by", {})
    return (
        f" ({', '.join(f'{named(what)} {cycles:.2f}' for what, cycles in taken.items())})"
        if len(taken) > 1
        else ""
    )


def full_words(found):
    """The main limit and its share of the time: 0DV; front end 83 %."""
    taken = found.get("taken_by") or {found["limit"]: 1.0}
    most = max(taken, key=taken.get)
    return most if len(taken) == 1 else f"{most} {100 * taken[most] / sum(taken.values()):.0f} %"


def speed_text(found):
    speed = found["bound_interactions_per_s"]
    lines = labelled(
        "bound",
        f"{found['cycles_per_iteration']:.2f} cycles/iteration{taken_words(found)}, {found['cycles_per_interaction']:.3f}/interaction"
        + (
            f": {speed / 1e9:.3f} x 10^9 interactions/s at {found['clock_hz'] / 1e9:.2f} GHz"
            if speed
            else ""
        ),
    )
    measured = found["measured_interactions_per_s"]
    if measured:
        share = f": {100 * found['share_of_bound']:.0f} % of its bound" if speed else ""
        lines.append(f"  measured   {measured / 1e9:.3f} x 10^9 interactions/s{share}")
    if found["why_not_measured"]:
        lines += labelled("measured", f"not: {found['why_not_measured']}")
    lines += labelled("machine", found["machine"])
    lines += labelled("", busy_words([found["name"]] if found.get("busy_machine") else []))
    less = found["one_slot_less"]
    if less:
        lines.append(f"  {gain_words(less)}")
    return lines


def gain_words(less):
    gain = f"{100 * (less['speedup'] - 1):.1f}"
    if gain == "0.0":
        return f"several are full: {less['words']} would gain nothing"
    return f"{less['words']}: {less['cycles_per_iteration']:.2f} cycles, {gain} % faster"


def better_tool(found):
    """Advice to install OSACA; '' if it counted, or knows no more about this core than llvm-mca."""
    tool = found["tool"]
    if not tool.startswith("llvm-mca") or not any(
        core.osaca for core in CORES if core.name == found["core"]
    ):
        return ""
    return f"counted by {tool}; ./lab setup --pictures installs OSACA, which knows this core better"


def instead(found):
    """Names the substitute core; '' if the ports are this core's own."""
    name = found.get("instead_of", "")
    return (
        f"no tool here knows the ports of {name}: counted with those of {found['core']}; it may be faster"
        if name
        else ""
    )


def labelled(label, text):
    return wrapped(f"  {label:<11}{text}", " " * 13, SCREEN) if text else []


def text_of(found):
    loop = found["loop"]
    what = f"{found['part']}/{found['name']}, {found['precision']}, {found['instruction_set']}"
    lines = [
        f"{what}: {loop['function']}"[:100],
        *wrapped(
            f"  {many(loop['instructions'], 'instruction')} for {many(found['interactions_per_iteration'], 'interaction')}, {found['why_so_many']}",
            "  ",
            SCREEN,
        ),
    ]
    if found["hidden"]:
        lines += ["", "  its contents are shown once the worksheet's counts are right"]
    else:
        lines += ["", *kinds_text(found)]
    lines += ["", *ports_text(found), *chain_text(found)]
    notes = remarks(found)
    return "\n".join([*lines, *(["", *notes] if notes else []), "", *speed_text(found)])


def reasons(all_found):
    """Why some have no speed, and which machine the speeds are from, each once."""
    names = {}
    for found in all_found:
        if found["why_not_measured"]:
            names.setdefault(found["why_not_measured"], []).append(found["name"])
    lines = [
        line
        for why, those in names.items()
        for line in labelled("measured", f"not {', '.join(those)}: {why}")
    ]
    lines += labelled(
        "", busy_words([found["name"] for found in all_found if found.get("busy_machine")])
    )
    lines += [
        line
        for words in dict.fromkeys([*map(better_tool, all_found), *map(instead, all_found)])
        for line in labelled("tool", words)
    ]
    return [
        *lines,
        *(
            line
            for machine in dict.fromkeys(found["machine"] for found in all_found)
            for line in labelled("machine", machine)
        ),
    ]


def table(all_found):
    lines = [
        f"  {'':<20}{'instructions':>12}{'interactions':>13}{'cycles':>9}  {'full':<14}{'bound 10^9/s':>12}{'measured':>9}{'share':>7}"
    ]
    for found in all_found:
        speed, measured = found["bound_interactions_per_s"], found["measured_interactions_per_s"]
        lines.append(
            f"  {found['name']:<20}{found['loop']['instructions']:>12}{found['interactions_per_iteration']:>13g}"
            f"{found['cycles_per_iteration']:>9.2f}  {full_words(found):<14}"
            + (f"{speed / 1e9:>12.3f}" if speed else f"{'':>12}")
            + (
                f"{measured / 1e9:>9.3f}{100 * found['share_of_bound']:>5.0f} %"
                if measured and speed
                else ""
            )
        )
    return "\n".join([*(line.rstrip() for line in lines), *reasons(all_found)])
