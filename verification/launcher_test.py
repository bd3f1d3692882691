"""The launcher where packages cannot be installed, with stand-ins for Debian's tools."""
import os
import pathlib
import subprocess
import tempfile
import unittest

LAUNCHER = pathlib.Path(__file__).resolve().parent.parent / "scree"


def build_with(dpkg):
    """`./scree build` where no package is installed and apt-get fails. @param dpkg script of the stand-in. Returns (status, messages)."""
    with tempfile.TemporaryDirectory() as folder:
        tools = {"dpkg-query": "exit 1", "apt-get": "echo E: it failed; exit 100", "dpkg": dpkg, "sudo": 'exec "$@"'}
        for name, script in tools.items():
            tool = pathlib.Path(folder) / name
            tool.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            tool.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "SCREE_BUILD": f"{folder}/build"}
        done = subprocess.run([LAUNCHER, "build"], env=environment, capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stderr


class PackagesThatCannotBeInstalled(unittest.TestCase):
    def test_the_end_of_the_log_and_its_name_are_shown(self):
        status, messages = build_with("exit 0")
        self.assertEqual(status, 1)
        self.assertIn("E: it failed", messages)
        self.assertIn("apt-get failed; see ", messages)

    def test_an_interrupted_installation_is_named_with_its_remedy(self):
        status, messages = build_with('[ "$1" != --audit ] || echo "The following packages are only half configured"')
        self.assertEqual(status, 1)
        self.assertIn("dpkg --configure -a", messages)


if __name__ == "__main__":
    unittest.main()
