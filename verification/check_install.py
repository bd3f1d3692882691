#!/usr/bin/env python3
"""What is installed is of use to others.

usage: check_install.py library BUILD    the program of docs/howto/library.md, built by find_package(scree) and run
       check_install.py package BUILD    the .deb of cpack, installed by dpkg into a folder: its program runs a deck
       check_install.py python BUILD     pip install into a folder: a script runs a deck
Works in BUILD/installed. Exit status 0, or 1 with what is wrong.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def call(*command, **options):
    """The standard output of a command that has to succeed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"check_install.py: {' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def small_deck(folder):
    """A short run of a deck that we ship."""
    text = (ROOT / "inputs" / "block_on_slope.json").read_text(encoding="utf-8")
    deck = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    deck["time"]["end"] = 0.2
    deck["output"] = {"directory": "results", "final_state": "final.csv"}
    path = folder / "deck.json"
    path.write_text(json.dumps(deck), encoding="utf-8")
    return path


def check_library(build, work):
    prefix = fresh(work / "prefix")
    call("cmake", "--install", build, "--prefix", prefix, "--component", "scree")
    page = (ROOT / "docs" / "howto" / "library.md").read_text(encoding="utf-8")
    source = fresh(work / "drop")
    for language, name in (("cmake", "CMakeLists.txt"), ("cpp", "drop.cpp")):
        (code,) = re.findall(rf"```{language}\n(.*?)```", page, flags=re.DOTALL)
        (source / name).write_text(code, encoding="utf-8")
    call("cmake", "-S", source, "-B", source / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
    call("cmake", "--build", source / "build")
    commands = (source / "build" / "build.ninja").read_text(encoding="utf-8")
    for own in ("-Wshadow", "jemalloc", str(ROOT / "io"), str(build) + "/lib"):
        if own in commands:
            sys.exit(f"check_install.py: {own} has got into the build of a user")
    said = call(source / "build" / "drop", small_deck(source), cwd=source)
    times = [float(t) for t in re.findall(r"t = (\S+) s", said)]
    force = float(re.search(r"force on boundary 0: (\S+) N", said).group(1))
    if times != [0.0501, 0.05005] or not 10 < force < 40 or "contact of body 0" not in said:  # a block of 2 kg, 19.6 N
        sys.exit(f"check_install.py: output of drop:\n{said}")


def install_package(package, work):
    """Installs into work/root. The data base of packages is that of this machine: dependencies have to be met."""
    (work / "root").mkdir()
    if os.geteuid() != 0:
        print("check_install.py: not root, so the package is unpacked and its dependencies are not checked")
        call("dpkg-deb", "--extract", package, work / "root")
        return
    for folder in ("info", "updates", "triggers"):
        (work / "dpkg" / folder).mkdir(parents=True)
    shutil.copy("/var/lib/dpkg/status", work / "dpkg" / "status")
    shutil.copy("/var/lib/dpkg/info/format", work / "dpkg" / "info" / "format")
    call("dpkg", f"--instdir={work / 'root'}", f"--admindir={work / 'dpkg'}", "--install", package)
    if "install ok installed" not in call("dpkg-query", f"--admindir={work / 'dpkg'}", "--status", "scree"):
        sys.exit("check_install.py: dpkg does not list scree as installed")


def check_python(build, work):
    (line,) = [one for one in (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines() if one.startswith("_Python_EXECUTABLE:")]
    python = line.split("=", 1)[1]
    if subprocess.run([python, "-c", "import setuptools, pip"], capture_output=True, check=False).returncode:
        print("check_install.py: skipped: no pip or setuptools (packages python3-pip, python3-setuptools)")
        return
    site = fresh(work / "site")
    call(python, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--target", site, ROOT,
         env={**os.environ, "SCREE_BUILD": str(build)})
    script = f"import scree\nwith scree.Simulation({str(small_deck(work))!r}) as sim:\n    sim.run()\n    print(scree.__file__, sim.time)\n"
    said = call(python, "-c", script, env={**os.environ, "PYTHONPATH": str(site)}, cwd=work)
    if str(site) not in said or not said.strip().endswith(" 0.2"):
        sys.exit(f"check_install.py: the installed module says {said!r}")


def check_package(build, work):
    work = fresh(work / "package")
    call("cpack", "-G", "DEB", "--config", build / "CPackConfig.cmake", "-B", work, cwd=build)
    (package,) = work.glob("*.deb")
    fields = call("dpkg-deb", "--field", package)
    for wanted in ("Package: scree", "libpetsc", "libvtk", "libopenmpi"):
        if wanted not in fields:
            sys.exit(f"check_install.py: no {wanted} in\n{fields}")
    install_package(package, work)
    call(work / "root" / "usr" / "bin" / "scree", "run", small_deck(work), cwd=work)
    if not (work / "results" / "final.csv").exists():
        sys.exit("check_install.py: the program of the package wrote no final state")
    if not (work / "root" / "usr" / "include" / "scree" / "solvers" / "simulation.hpp").exists():
        sys.exit("check_install.py: the package has no headers")


def main():
    checks = {"library": check_library, "package": check_package, "python": check_python}
    if len(sys.argv) != 3 or sys.argv[1] not in checks:
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[2]).resolve()
    os.environ.pop("DESTDIR", None)
    checks[sys.argv[1]](build, build / "installed")


if __name__ == "__main__":
    main()
