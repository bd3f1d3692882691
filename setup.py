"""Builds the Python module by CMake, for pip: docs/howto/python.md.

SCREE_BUILD names a build folder that is used, or made, instead of one that is thrown away.
"""
import os
import pathlib
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class ByCMake(build_ext):
    def run(self):
        build = pathlib.Path(os.environ.get("SCREE_BUILD") or self.build_temp).resolve()
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DSCREE_TESTS=OFF",
                            f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "python"], check=True)
        target = pathlib.Path(self.get_ext_fullpath("scree._scree")).resolve().parent.parent
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", target], check=True)


# The package comes with the compiled part, from CMake.
setup(packages=[], ext_modules=[Extension("scree._scree", sources=[])], cmdclass={"build_ext": ByCMake})
