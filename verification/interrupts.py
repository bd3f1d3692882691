#!/usr/bin/env python3
"""Ctrl-C, SIGTERM and SIGHUP: lengthy work of each kind is interrupted at a random moment.

  verification/interrupts.py BINARY [SCENE...] [--ranks 1 2] [--bound SECONDS] [--seed N] [--repeat N]

Required of each: exit status 130 within the bound, one message, and of a run that had begun the last accepted state
of all bodies. The program aims at 2 s; the bound leaves room for a loaded machine. Measured times are printed.
Ranks get the signal one after the other, half a second apart: they have to leave together.
A machine may be so quick that the work is over when the signal comes: then the scene is repeated with half the delay, some times.
"""
import argparse
import csv
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import harness

MPI = {**harness.ENVIRONMENT, "OMPI_MCA_mpi_yield_when_idle": "1"}
APART = 0.5  # s, between the signals of two ranks
HALVINGS = 6  # of the delay of a signal
OVER = {"reading_a_deck": 2}  # exit status of a scene whose work ended by itself, if not 0
BARRIER = {"law": "barrier", "threshold": 1e-3, "stiffness": 2.8e13, "exponent": 3, "barrier_fraction": 0.4,
           "barrier_exponent": -2, "damping_ratio": 0.3}
FRICTION = {"static": 0.3, "dynamic": 0.3, "stiffness": 3e5}


def deck(count, high, shape=None, **more):
    """Bodies at random places above a floor, within walls of 1 m."""
    return {"gravity": [0, 0, -9.81], "time": {"end": 100, "step": {"initial": 1e-4, "min": 1e-9, "max": 2e-3}},
            "materials": {"rock": {"density": 2000}},
            "shapes": {"body": shape or {"type": "sphere", "radius": 0.02}},
            "bodies": [{"shape": "body", "material": "rock", "count": count, "seed": 1,
                        "region": {"min": [0, 0, 0.03], "max": [1, 1, high]}}],
            "boundaries": [{"name": "box", "type": "box", "min": [0, 0, 0], "max": [1, 1, 100], "open": ["+z"],
                            "material": "rock"}],
            "interfaces": [{"between": ["*", "*"], "normal": BARRIER, "friction": FRICTION}],
            "output": {"directory": "results"}, **more}


def long_deck(folder):
    (folder / "deck.json").write_text('{"title": [' + "[1, 2, 3], " * 2000000 + "1]}")


def long_table(folder):
    scene = deck(1, 1)
    scene["bodies"] = [{"file": "bodies.csv", "shape": "body", "material": "rock"}]
    row = "{}.123456789012345,0.123456789012345,0.123456789012345\n"
    (folder / "bodies.csv").write_text("x,y,z\n" + "".join(row.format(k) for k in range(1000000)))
    return scene


def large_surface(folder, n=400):
    """A ball of 4 n^2 triangles, as text."""
    def point(i, j):
        a, b = math.pi * i / n, math.pi * j / n
        return f"vertex {math.sin(a) * math.cos(b):.9f} {math.sin(a) * math.sin(b):.9f} {math.cos(a):.9f}\n"
    with open(folder / "ball.stl", "w", encoding="ascii") as out:
        out.write("solid ball\n")
        for i in range(n):
            for j in range(2 * n):
                k = (j + 1) % (2 * n)
                for corners in (((i, j), (i + 1, j), (i + 1, k)), ((i, j), (i + 1, k), (i, k))):
                    if len({point(*c) for c in corners}) == 3:
                        out.write("facet normal 0 0 0\nouter loop\n" + "".join(point(*c) for c in corners) +
                                  "endloop\nendfacet\n")
        out.write("endsolid ball\n")
    scene = deck(1, 1)
    scene["shapes"] = {"body": {"type": "polyhedron", "file": "ball.stl", "scale": 0.1}}
    return scene


def rigid(lcp, method="two-step"):
    scene = deck(1500, 1)
    scene |= {"analysis": "contact-dynamics", "solver": {"method": method, "lcp": lcp, "lcp_tolerance": 1e-12},
              "interfaces": [{"between": ["*", "*"], "normal": {"law": "rigid"}}]}
    scene["time"]["step"] = 0.01
    if method == "one-step":
        scene["interfaces"][0]["friction"] = {"static": 0.3, "dynamic": 0.3}
        del scene["solver"]["lcp"], scene["solver"]["lcp_tolerance"]
    return scene


def quasi_static():
    scene = deck(700, 1)
    scene |= {"analysis": "quasi-static"}
    scene["time"] = {"end": 1, "step": {"initial": 1, "min": 1e-3, "max": 1}}
    return scene


def large_frames():
    quadric = {"type": "superquadric", "half_axes": [0.02, 0.02, 0.02], "blockiness": [4, 4]}
    scene = deck(3000, 3, quadric)
    scene["time"]["end"] = 0.2  # what all frames of a longer run take is refused by smaller disks
    scene["output"]["vtk"] = {"every": 0}
    return scene


def many_cubes():
    """Cubes that take seconds to set up."""
    scene = deck(200000, 1.2, {"type": "box", "size": [0.002, 0.002, 0.002]})
    scene["output"]["vtk"] = {"every": 1}
    return scene


# name: (what makes the deck, seconds after which the signal comes at the earliest and latest, whether a state is saved)
SCENES = {
    "reading_a_deck": (long_deck, 0.5, 2.5, False),
    "reading_a_table": (long_table, 0.5, 2.5, False),
    "reading_a_surface": (large_surface, 0.3, 4, False),
    "generating": (lambda folder: deck(30000, 2.2), 0.5, 8, False),
    "generating_cubes": (lambda folder: deck(3000, 1.3, {"type": "box", "size": [0.07, 0.07, 0.07]}), 0.5, 8, False),
    "setting_up": (lambda folder: many_cubes(), 1, 6, True),
    "check": (lambda folder: many_cubes(), 1, 3, False),
    "dynamic": (lambda folder: deck(3000, 2), 3, 8, True),
    "dynamic_direct": (lambda folder: deck(1000, 1, solver={"linear": "direct"}), 2, 6, True),
    "quasi_static": (lambda folder: quasi_static(), 2, 8, True),
    "contact_dynamics_apgd": (lambda folder: rigid("apgd"), 2, 6, True),
    "contact_dynamics_pgs": (lambda folder: rigid("pgs"), 2, 6, True),
    "contact_dynamics_newton": (lambda folder: rigid("newton"), 2, 6, True),
    "contact_dynamics_bncg": (lambda folder: rigid("bncg"), 2, 6, True),
    "contact_dynamics_tron": (lambda folder: rigid("tron"), 2, 6, True),
    "contact_dynamics_one_step": (lambda folder: rigid("", "one-step"), 2, 6, True),
    "large_frames": (lambda folder: large_frames(), 4, 8, True),
}


def ranks_of(process, ranks, binary):
    """Process ids of the program: of mpirun its children, none if it has ended."""
    if ranks == 1:
        return [process.pid]
    for _ in range(100):
        found = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(process.pid)], capture_output=True, text=True)
        pids = [int(line.split()[0]) for line in found.stdout.splitlines() if line.split()[1] == Path(binary).name[:15]]
        if len(pids) == ranks:
            return pids
        if process.poll() is not None:
            return []
        time.sleep(0.05)
    process.kill()
    raise RuntimeError("mpirun has not started the ranks")


def interrupt(binary, name, ranks, bound, chance):
    """@returns seconds until the program had ended, and what was wrong with it."""
    _, earliest, latest, _ = SCENES[name]
    when, kind = chance.uniform(earliest, latest), chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    for _ in range(HALVINGS):
        seconds, over, wrong = interrupt_at(binary, name, ranks, bound, when, kind, chance)
        if not over:
            break
        print(f"  {name}: the work was over {when:.2f} s after the start; once more with half of it")
        when /= 2
    return seconds, wrong


def interrupt_at(binary, name, ranks, bound, when, kind, chance):
    """@returns seconds until the program had ended, whether its work ended by itself, and what was wrong."""
    make, _, _, saved = SCENES[name]
    with tempfile.TemporaryDirectory(prefix="scree_interrupt_") as folder:
        folder = Path(folder)
        scene = make(folder)
        if scene is not None:
            (folder / "deck.json").write_text(json.dumps(scene))
        command = [binary, "check" if name == "check" else "run", "deck.json"]
        if ranks > 1:
            command = ["mpirun", "-n", str(ranks)] + command
        with open(folder / "out", "w+") as out, open(folder / "err", "w+") as err:
            process = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, env=os.environ | MPI,
                                       preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))  # under nohup too
            time.sleep(when)
            pids = ranks_of(process, ranks, binary)
            chance.shuffle(pids)
            early = process.poll() is not None
            start = time.time()
            for pid in pids:
                try:
                    os.kill(pid, kind)
                except ProcessLookupError:
                    pass
                if pid != pids[-1]:
                    time.sleep(APART)
            wrong = []
            try:
                process.wait(bound + APART * ranks)
            except subprocess.TimeoutExpired:
                wrong.append(f"still running {bound} s after the signal")
                process.kill()
                process.wait()
            seconds = time.time() - start
            out.seek(0)
            err.seek(0)
            text, errors = out.read(), err.read()
        if early:
            wrong.append(f"ended by itself before the signal: {text[-200:]} {errors[-300:]}")
        elif process.returncode != 130:
            wrong.append(f"exit status {process.returncode}, expected 130: {text[-200:]} {errors[-300:]}")
        began = (folder / "results").exists()
        if not wrong and not began and "interrupted while" not in errors:
            wrong.append(f"no message: {errors[-300:]}")
        if not wrong and began:
            wrong += check_state(folder, text)
        if not wrong and saved and not began:
            print(f"  {name}: the run had not begun after {when:.1f} s")
        return seconds, early or process.returncode == OVER.get(name, 0), wrong


def check_state(folder, text):
    state = folder / "results" / "last_state.csv"
    if not state.exists():
        return ["no last_state.csv"]
    with open(state, newline="") as file:
        rows = list(csv.DictReader(file))
    asked = json.loads((folder / "deck.json").read_text())["bodies"][0]["count"]
    wrong = [] if len(rows) == asked else [f"{len(rows)} of {asked} bodies in last_state.csv"]
    if not all(math.isfinite(float(row[key])) for row in rows for key in ("x", "y", "z", "vx", "wy")):
        wrong.append("last_state.csv holds residual is NaN or Inf")
    if "INTERRUPTED at t" not in text:
        wrong.append("the log does not report the interruption")
    if not (folder / "results" / "report.json").exists():
        wrong.append("no report.json")
    if list((folder / "results").rglob("*-tmp")):
        wrong.append("a half file is left")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("scene", nargs="*", help="; ".join(SCENES))
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--bound", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=1)
    arguments = parser.parse_args()
    binary = str(Path(arguments.binary).resolve())
    chance = random.Random(arguments.seed)
    failed = 0
    for name in arguments.scene or SCENES:
        for ranks in arguments.ranks:
            for _ in range(arguments.repeat):
                seconds, wrong = interrupt(binary, name, ranks, arguments.bound, chance)
                failed += bool(wrong)
                print(f"{'FAIL' if wrong else 'pass'} {name}, {ranks} rank(s): ended {seconds:.2f} s after the first "
                      f"signal{': ' if wrong else ''}{'; '.join(wrong)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
