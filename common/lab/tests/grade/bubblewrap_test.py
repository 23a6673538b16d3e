"""Does the isolation find an administrator's reasons, the fallback's paths and the host's cgroups?"""

import tempfile
import unittest
from pathlib import Path

from nbody_lab.grade.bubblewrap import reason
from nbody_lab.grade.cgroups import places
from nbody_lab.grade.landlock import on_host

UBUNTU = "bwrap: setting up uid map: Permission denied\n"


class ReasonTest(unittest.TestCase):
    def test_ubuntu_24_04(self):
        said = reason(
            UBUNTU,
            lambda name: "1" if name == "kernel.apparmor_restrict_unprivileged_userns" else "",
        )
        self.assertIn("sysctl -w kernel.apparmor_restrict_unprivileged_userns=0", said)
        self.assertNotIn("\n", said)

    def test_user_namespaces_that_are_off(self):
        self.assertIn(
            "sysctl -w kernel.unprivileged_userns_clone=1",
            reason(UBUNTU, lambda name: "0" if name == "kernel.unprivileged_userns_clone" else ""),
        )
        self.assertIn(
            "sysctl -w user.max_user_namespaces",
            reason(UBUNTU, lambda name: "0" if name == "user.max_user_namespaces" else ""),
        )

    def test_otherwise_its_own_words(self):
        self.assertEqual(reason("one\nbwrap: two\n", lambda name: ""), "bwrap: two")
        self.assertIn(
            "--privileged",
            reason(
                "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", lambda name: ""
            ),
        )


class PathsTest(unittest.TestCase):
    def test_words_get_the_paths_of_the_host(self):
        binds = [("/home/a/work", "/w"), ("/opt/lab", "/lab")]
        for word, wanted in (
            ("/w/a.cpp", "/home/a/work/a.cpp"),
            ("-I/lab", "-I/opt/lab"),
            ("--to=/w/x", "--to=/home/a/work/x"),
            ("/world", "/world"),
            ("/usr/w", "/usr/w"),
            ("-O3", "-O3"),
        ):
            self.assertEqual(on_host(word, binds), wanted)


class PlacesTest(unittest.TestCase):
    def made(self, mounts, groups, controllers):
        folder = (
            Path(self.enterContext(tempfile.TemporaryDirectory()))
            if hasattr(self, "enterContext")
            else None
        )
        if folder is None:
            keep = tempfile.TemporaryDirectory()
            self.addCleanup(keep.cleanup)
            folder = Path(keep.name)
        top = folder / "groups"
        (top / "user/session").mkdir(parents=True)
        (top / "user/cgroup.subtree_control").write_text(controllers)
        (top / "user/cgroup.procs").write_text("")
        (folder / "self").mkdir()
        (folder / "self/mounts").write_text(mounts.format(top))
        (folder / "self/cgroup").write_text(groups)
        return places(folder), top

    def test_version_2_beside_its_own_group(self):
        found, top = self.made(
            "cgroup2 {} cgroup2 rw 0 0\n", "0::/user/session\n", "cpu memory pids\n"
        )
        self.assertEqual(found, (2, {"": top / "user"}))

    def test_version_2_without_controllers(self):
        found, _ = self.made("cgroup2 {} cgroup2 rw 0 0\n", "0::/user/session\n", "cpu\n")
        self.assertEqual(found, (0, {}))

    def test_version_1(self):
        found, top = self.made("cgroup {} cgroup rw,memory,pids 0 0\n", "3:memory,pids:/user\n", "")
        self.assertEqual(found, (1, {"memory": top / "user", "pids": top / "user"}))
