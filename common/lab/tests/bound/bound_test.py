"""./lab bound: cores, spellings, kinds, ports, the slots of a kernel, and the text."""

import unittest
from unittest import mock

from nbody_lab.bound import command as bound_command
from nbody_lab.bound import loop_bound
from nbody_lab.bound import mca as bound_mca
from nbody_lab.bound.command import counted_work, of_n2, parse, roots_in, with_speed
from nbody_lab.bound.instruction_kinds import (
    by_kind,
    kind_of,
    operands_of,
    operations,
    plain,
    spellings,
)
from nbody_lab.bound.loop_bound import (
    begun,
    bound_of,
    full_ports,
    least_cycles,
    one_slot_less,
    smallest_step,
    times_beside,
)
from nbody_lab.bound.machine_code import HotLoop
from nbody_lab.bound.machine_symbols import Instruction
from nbody_lab.bound.mca import CannotCount
from nbody_lab.bound.text import table, text_of
from nbody_lab.commands.bound import is_kept, row_of
from nbody_lab.core.manifest import Program
from nbody_lab.core.messages import Failure
from nbody_lab.hardware.cores import CORES, core_called, core_in, models

XEON = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: Xeon\n\nprocessor\t: 1\n"
EPYC = XEON.replace("GenuineIntel", "AuthenticAMD").replace(": 6\n", ": 25\n").replace("207", "17")
GRACE = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n"
SPR = core_called("SPR")
# Measured on Sapphire Rapids: 14 and 18 fma of 512 bits with an estimate of 1/sqrt take 8.5 and 10.5 cycles, so the
# estimate takes 3 slots. OSACA 0.7.1 has 4 for it: half a cycle more.
MEASURED = {14: 8.5, 18: 10.5}


def loop_of(*texts, roots=16, others=()):
    return HotLoop(
        "f()",
        [Instruction(0x1000 + k, text) for k, text in enumerate(texts)],
        "avx512f",
        16,
        roots,
        [],
        list(others),
    )


class Cores(unittest.TestCase):
    def test_by_vendor_family_and_model(self):
        self.assertEqual(
            [core_in(text).name for text in (XEON, EPYC, GRACE)],
            ["Sapphire Rapids", "Zen 4", "Neoverse V2"],
        )
        self.assertIsNone(core_in(XEON.replace("207", "999")))
        self.assertIsNone(core_in("nothing"))

    def test_by_any_of_their_names(self):
        self.assertEqual(
            {core_called(word).name for word in ("spr", "Sapphire Rapids", "sapphirerapids")},
            {"Sapphire Rapids"},
        )
        self.assertIsNone(core_called("sparc"))

    def test_no_model_is_two_cores(self):
        seen = {}
        for core in CORES:
            for model in (
                models(core.which[2]) if core.name != "Zen 3" else ()
            ):  # Zen 3 takes the rest of its family
                self.assertIsNone(seen.setdefault((core.which[:2], model), None), core.name)
                seen[core.which[:2], model] = core.name


class Spellings(unittest.TestCase):
    def test_a_line_of_objdump_becomes_a_line_of_source(self):
        self.assertEqual(plain("jb 12928 <f()+0x18>"), "jb .L0")
        self.assertEqual(plain("movss 0x10(%rip),%xmm0 # 8d0b8 <x>"), "movss 0x10(%rip),%xmm0")

    def test_operands(self):
        self.assertEqual(
            operands_of("vaddps (%rax,%rdx,8),%zmm1,%zmm2{%k1}{z}"),
            ("vaddps", ["(%rax,%rdx,8)", "%zmm1", "%zmm2{%k1}{z}"]),
        )

    def test_other_names_for_the_same_work(self):
        self.assertIn("vsubss 0xc(%rbx),%xmm2,%xmm2", spellings("subss 0xc(%rbx),%xmm2"))
        self.assertIn("vcmpps $0,%zmm1,%zmm2,%k1", spellings("vcmpgt_oqps %zmm1,%zmm2,%k1"))
        self.assertIn("jne .L0", spellings("jbe 1000 <f>"))
        self.assertEqual(spellings("jmp 1000 <f>"), ["jmp .L0"])
        self.assertEqual(spellings("add $0x1,%rax"), ["add $0x1,%rax"])


class Kinds(unittest.TestCase):
    def test_by_name(self):
        wanted = {
            "vfmadd231ps %zmm1,%zmm2,%zmm3": "multiply and add",
            "vrsqrt14ps %zmm1,%zmm2": "estimate of 1/sqrt",
            "subss (%rax),%xmm0": "add or subtract",
            "sub $0x1,%rax": "integers and addresses",
            "divsd %xmm1,%xmm0": "divide",
            "movss (%rax),%xmm0": "load, store, move",
            "jne 10 <f>": "jump",
            "ucomiss %xmm0,%xmm1": "minimum, maximum, compare",
            "fmla v0.4s, v1.4s, v2.4s": "multiply and add",
            "nonsense": "other",
        }
        self.assertEqual({text: kind_of(text) for text in wanted}, wanted)

    def test_counts_and_operations(self):
        texts = [
            "vmulps %zmm1,%zmm2,%zmm3",
            "vmulps %zmm1,%zmm2,%zmm3",
            "mulss %xmm1,%xmm2",
            "add $0x1,%rax",
        ]
        self.assertEqual(by_kind(texts), {"multiply": 3, "integers and addresses": 1})
        self.assertEqual(operations(texts), {"multiply": 33})


class Roots(unittest.TestCase):
    def test_of_the_polynomial_or_of_most_bodies(self):
        self.assertEqual(of_n2({"polynomial": {"n2": 1, "n": 0, "1": 0, "over": 2}}), 0.5)
        self.assertEqual(
            of_n2({"polynomial": None, "counted": {"256": 1, "1024": 1024 * 512}}), 0.5
        )

    def test_remainders_are_left_out(self):
        self.assertEqual(roots_in({"square root": 0.0, "estimate of 1/sqrt": 0.52}), 0.5)
        self.assertEqual(roots_in({"square root": 0.999}), 1)
        self.assertEqual(roots_in({}), 0)
        self.assertEqual(counted_work("/nowhere"), {})


class Ports(unittest.TestCase):
    counted = {"ports": {"0": 9.0, "5": 9.0, "2": 4.0}, "chain_cycles": 4.0}

    def test_what_has_most_to_do_is_the_bound(self):
        self.assertEqual(least_cycles(self.counted, ["nop"], 6), (9.0, "0"))
        self.assertEqual(
            least_cycles({**self.counted, "chain_cycles": 12.0}, ["nop"], 6), (12.0, "chain")
        )
        self.assertEqual(least_cycles(self.counted, ["nop"] * 60, 6), (10.0, "front end"))
        self.assertEqual(full_ports(self.counted["ports"]), ["0", "5"])

    def test_a_comparison_and_its_jump_begin_as_one(self):
        self.assertEqual(
            begun(["add $0x1,%rax", "cmp %rax,%rcx", "jne 10 <f>", "mulss %xmm0,%xmm1"]), 3
        )

    def test_how_often_a_loop_beside_goes_round(self):
        hot = loop_of("sqrtps (%r11,%rax,1),%xmm0", "add $0x10,%rax", "add $0x1,%rbx")
        other = loop_of(
            "movss (%rdx),%xmm0", "add $0x28,%rcx", "addss (%rcx),%xmm0", "add $0x4,%rdx"
        )
        self.assertEqual(times_beside(hot, other), 4)
        self.assertEqual(smallest_step(["add $0x2,%rax", "movsd (%rbx,%rax,8),%xmm0"]), 16)
        self.assertIsNone(times_beside(hot, loop_of("addss %xmm0,%xmm1")))

    def test_one_instruction_less(self):
        found = {
            "full_ports": ["0", "5"],
            "limit": "0",
            "slot": None,
            "ports": {"0": 9.0, "5": 9.0, "2": 8.8},
            "front_end_cycles": 2.0,
            "chain_cycles": 4.0,
            "cycles_per_iteration": 9.0,
        }
        self.assertEqual(one_slot_less(found)["cycles_per_iteration"], 8.8)  # then port 2 is full
        self.assertEqual(
            one_slot_less(
                {**found, "full_ports": ["0DV"], "limit": "0DV", "slot": 3.0, "ports": {"0DV": 9.0}}
            )["cycles_per_iteration"],
            6.0,
        )
        self.assertIsNone(one_slot_less({**found, "limit": "chain"}))


class Tools(unittest.TestCase):
    texts = ("vmulps %zmm1,%zmm2,%zmm3", "vrsqrt14ps %zmm3,%zmm4", "sub $0x1,%rax", "jne 1000 <f>")

    def test_what_is_missing_is_said_in_a_line(self):
        with (
            mock.patch.object(loop_bound, "has_osaca", return_value=False),
            mock.patch.object(bound_mca, "find_mca", return_value=""),
        ):
            with self.assertRaisesRegex(CannotCount, "./lab setup --pictures"):
                loop_bound.count_ports(SPR, self.texts)
            with self.assertRaisesRegex(
                CannotCount, "OSACA does not know Zen 5, .*install the package llvm"
            ):
                loop_bound.count_ports(core_called("Zen 5")._replace(like=""), self.texts)
            with self.assertRaisesRegex(CannotCount, "this processor"):
                loop_bound.count_ports(None, self.texts)

    def test_another_core_stands_in_for_one_that_no_tool_knows(self):
        asked = []
        with (
            mock.patch.object(loop_bound, "has_osaca", return_value=True),
            mock.patch.object(
                loop_bound,
                "by_osaca",
                lambda core, _: asked.append(core.osaca) or {"core": "AMD Zen4"},
            ),
        ):
            self.assertEqual(
                loop_bound.count_ports(core_called("Zen 5"), self.texts),
                {"core": "AMD Zen4", "instead_of": "Zen 5"},
            )
        self.assertEqual(asked, ["ZEN4"])
        for core in CORES:
            self.assertTrue(core.osaca or core.mca, core.name)
            self.assertTrue(not core.like or core_called(core.like).osaca, core.name)

    @unittest.skipUnless(bound_mca.find_mca(), "no llvm-mca here")
    def test_llvm_mca(self):
        found = bound_mca.analysis(SPR, [*self.texts, "nonsense %rax"])
        self.assertEqual(found["unknown"], ["nonsense %rax"])
        self.assertGreater(max(found["ports"].values()), 1)
        with self.assertRaises(CannotCount):
            bound_mca.analysis(SPR, ["nonsense"])

    @unittest.skipUnless(loop_bound.has_osaca(), "no OSACA (./lab setup --pictures)")
    def test_osaca_agrees_with_what_was_measured(self):
        for arithmetic, cycles in MEASURED.items():
            texts = [f"vfmadd231ps %zmm31,%zmm31,%zmm{k}" for k in range(arithmetic)] + [
                "vrsqrt14ps %zmm31,%zmm30"
            ]
            found = bound_of(loop_of(*texts), SPR, 16)
            self.assertEqual(
                (found["cycles_per_iteration"], found["full_ports"]), (cycles + 0.5, ["0", "5"])
            )
            self.assertLess(found["cycles_per_iteration"] / cycles - 1, 0.10)

    @unittest.skipUnless(loop_bound.has_osaca(), "no OSACA (./lab setup --pictures)")
    def test_osaca_with_stand_ins_and_what_nobody_knows(self):
        found = bound_of(
            loop_of(
                "subss 0xc(%rbx),%xmm2",
                "minss %xmm2,%xmm3",
                "divss %xmm2,%xmm4",
                "lock cmpxchg %r8d,(%rdi)",
                "jb 10 <f>",
                roots=1,
            ),
            SPR,
            1,
        )
        self.assertEqual(found["unknown"], ["lock cmpxchg %r8d,(%rdi)"])
        self.assertEqual(list(found["borrowed"]), ["minss %xmm2,%xmm3"])
        self.assertEqual((found["full_port"], found["slot"]), ("0DV", 3.0))
        self.assertIn("divss", " ".join(found["chain"]))


class Text(unittest.TestCase):
    def found(self, **more):
        counted = {
            "tool": "OSACA 0.7.1",
            "core": "Sapphire Rapids",
            "ports": {"0": 9.0, "1": 0.0, "5": 9.0},
            "chain_cycles": 4.0,
            "chain": ["vaddps"],
            "borrowed": {},
            "unknown": [],
        }
        with mock.patch.object(loop_bound, "count_ports", return_value={**counted, **more}):
            found = bound_of(loop_of(*Tools.texts), SPR, 16)
        return {
            "part": "part2",
            "name": "newton",
            "precision": "float",
            "why_so_many": "one root each",
            "counted": {"multiply": 4},
            "hidden": False,
            **found,
        }

    def test_the_bound_and_the_share_that_was_reached(self):
        text = text_of(with_speed(self.found(), 4e9, 3.2e9))
        self.assertIn(
            "9.00 cycles/iteration, 0.562/interaction: 7.111 x 10^9 interactions/s at 4.00 GHz",
            text,
        )
        self.assertIn("3.200 x 10^9 interactions/s: 45 % of its bound", text)
        self.assertRegex(text, r"\n +multiply +1 +1 +4\n")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_loops_beside_it_take_their_part_of_what_is_full(self):
        """The divider limits the loop with the roots; the front end limits the two others for most of the time."""
        roots = loop_of(
            "sqrtps (%r11,%rax,1),%xmm0",
            "add $0x10,%rax",
            others=[loop_of("movss (%rdx),%xmm0", "add $0x4,%rdx", *["nop"] * 10, roots=0)],
        )
        counts = [
            {
                "tool": "a tool",
                "core": "a core",
                "ports": {"0DV": 6.0, "0": 1.0},
                "chain_cycles": 1.0,
                "chain": ["add"],
                "borrowed": {},
                "unknown": [],
            },
            {"ports": {"0": 1.0}, "chain_cycles": 0.0},
        ]
        with mock.patch.object(loop_bound, "count_ports", side_effect=counts):
            found = bound_of(roots, SPR, 8)
        self.assertEqual(
            (found["taken_by"], found["cycles_per_iteration"], found["limit"]),
            ({"front end": 8.0, "0DV": 6.0}, 14.0, "0DV"),
        )
        found = with_speed(
            {
                **found,
                "part": "part1",
                "name": "split",
                "precision": "float",
                "why_so_many": "so",
                "counted": {},
                "hidden": False,
            },
            4e9,
            None,
        )
        self.assertEqual(row_of(found)["port"], "front end 57 %")
        self.assertIn("front end 57 %", table([found]))
        self.assertLessEqual(max(map(len, table([found]).splitlines())), 100)
        text = text_of(found)
        for words in (
            "14.00 cycles/iteration (front end 8.00, 0DV 6.00)",
            "without the loops beside it",
            "4 times per iteration, 2.00 cycles each (front end)",
        ):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_a_busy_machine_is_said(self):
        found = {**with_speed(self.found(), 4e9, 3.2e9), "busy_machine": True}
        self.assertIn("the machine was busy, so newton may be faster", text_of(found))
        self.assertEqual(table([found, found]).count("the machine was busy"), 1)
        self.assertNotIn("busy", text_of({**found, "busy_machine": False}))

    def test_what_counts_better_is_said_once(self):
        words = "counted by llvm-mca 14.0.6; ./lab setup --pictures installs OSACA, which knows this core better"
        found = with_speed({**self.found(), "tool": "llvm-mca 14.0.6"}, 4e9, None)
        self.assertEqual(found["core"], "Sapphire Rapids")
        self.assertIn(f"\n  {words}\n", text_of({**found, "core": SPR.name}))
        self.assertEqual(" ".join(table([{**found, "core": SPR.name}] * 2).split()).count(words), 1)
        self.assertLessEqual(max(map(len, text_of({**found, "core": SPR.name}).splitlines())), 100)
        for other in (
            {"core": "a core that OSACA does not know"},
            {"core": SPR.name, "tool": "OSACA 0.7.1"},
        ):
            self.assertNotIn(
                "--pictures", text_of({**found, **other}) + table([{**found, **other}])
            )

    def test_one_instruction_less_may_gain_nothing(self):
        text = text_of(with_speed(self.found(), 4e9, None))
        self.assertIn("one instruction fewer for ports 0, 5: 8.50 cycles, 5.9 % faster", text)
        text = text_of(with_speed(self.found(chain_cycles=9.0), 4e9, None))
        self.assertIn(
            "\n  several are full: one instruction fewer for ports 0, 5 would gain nothing", text
        )
        self.assertNotIn("% faster", text)

    def test_what_is_not_counted_is_said(self):
        text = text_of(with_speed(self.found(unknown=["lock cmpxchg %r8d,(%rdi)"]), None, None))
        self.assertIn(
            "not counted, unknown to the tool: lock-cmpxchg (1 in all); the bound is too optimistic",
            text,
        )
        self.assertNotIn("GHz", text)

    def test_one_is_no_plural(self):
        found = {
            **self.found(),
            "interactions_per_iteration": 1,
            "borrowed": {"minss": "HSW"},
            "why_so_many": "if an interaction takes one root (it cannot be counted: set it with --interactions K), and more words",
        }
        text = text_of(with_speed(found, 4e9, None))
        self.assertIn("  4 instructions for 1 interaction, if", text)
        self.assertIn("  1 instruction counted by an older", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_why_there_is_no_speed_and_whose_it_is(self):
        found = with_speed(
            {**self.found(), "cycles_per_iteration": 156.0, "cycles_per_interaction": 39.0},
            4e9,
            None,
            16896,
            "a GPU",
            "the bench says: WRONG",
        )
        self.assertLessEqual(max(map(len, text_of(found).splitlines())), 100)
        self.assertIn(
            "\n  measured   not: the bench says: WRONG\n  machine    a GPU\n", text_of(found)
        )
        self.assertTrue(
            table([found, found]).endswith(
                "\n  measured   not newton, newton: the bench says: WRONG\n  machine    a GPU"
            )
        )

    def test_what_is_hidden_stays_hidden(self):
        text = text_of(
            with_speed(
                bound_command.hide({**self.found(), "hidden": True, "counted": {}}), 4e9, None
            )
        )
        self.assertNotIn("multiply", text)
        self.assertNotIn("one root", text)

    def test_rows_of_a_table(self):
        found = with_speed(self.found(), 4e9, 3.2e9)
        self.assertLessEqual(max(map(len, table([found]).splitlines())), 100)
        self.assertEqual(
            {key: row_of(found)[key] for key in ("cycles", "interactions", "clock_hz")},
            {"cycles": 9.0, "interactions": 16, "clock_hz": 4e9},
        )


class Words(unittest.TestCase):
    def test_options(self):
        options = parse(["mine", "--no-measure", "--interactions", "4"])
        self.assertEqual(
            (options.names, options.unmeasured, options.interactions), (["mine"], True, 4)
        )

    def test_only_what_this_machine_runs_is_kept(self):
        for words in (["mine"], ["mine", "--double"], ["--all", "--no-measure"]):
            self.assertTrue(is_kept(parse(words)), words)
        for option in (
            "--arch sse2",
            "--kernel tiles",
            "--interactions 4",
            "--core SPR",
            "--clock 3e9",
        ):
            self.assertFalse(is_kept(parse(["mine", *option.split()])), option)

    def test_bad_words_are_one_line(self):
        for words in (["--interactions", "0"], ["--interactions", "x"], ["--nonsense"]):
            with self.assertRaises(Failure), mock.patch("nbody_lab.core.messages.say") as said:
                parse(words)
            self.assertEqual(said.call_count, 1)
        with self.assertRaises(Failure), mock.patch("nbody_lab.core.messages.say") as said:
            bound_command.core_of(parse(["--core", "sparc"]))
        names = said.call_args[0][0].split("it knows: ")[1].split(", ")
        self.assertEqual((names[0], len(names)), ("SNB", len(set(names))))

    def test_an_instruction_set_that_no_program_has(self):
        for sets, words in (
            (["avx2", "avx512"], "it has: avx2 avx512"),
            ([""], "it has only one: leave out --arch"),
            ([], "it has none in this precision"),
        ):
            row = {
                "part": "part1",
                "name": "naive",
                "programs": [
                    Program(precision="float", instruction_set=one, program="x") for one in sets
                ],
            }
            with self.assertRaises(Failure), mock.patch("nbody_lab.core.messages.say") as said:
                bound_command.program_of(row, parse(["--arch", "foo"]))
            self.assertEqual(
                said.call_args[0][0], f"part1/naive has no program for foo in float; {words}"
            )
