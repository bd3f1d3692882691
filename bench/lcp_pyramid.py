#!/usr/bin/env python3
"""The LCP of a step of the cannonball pyramid: all methods beside Siconos's, and growth with the number of bodies."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import common  # noqa: E402
from common import harness  # noqa: E402

AIM = 3.0  # times faster than Siconos's lcp_pgs on the pyramid at rest
METHODS = ["auto", "apgd", "newton", "bncg", "bqpip", "tron", "pgs"]
STEPS = {  # with random velocities and gaps, from rest to so hard that few methods come through
    "at rest": [],
    "shaken, 0.02 m/s": ["--speed", "0.02"],
    "gaps 0.1 mm, 0.5 m/s": ["--speed", "0.5", "--gap", "1e-4"],
    "gaps 0.01 mm, 0.5 m/s": ["--speed", "0.5", "--gap", "1e-5"],
    "shaken, 0.5 m/s": ["--speed", "0.5"],
}
# Runs under Debian's Python. lcp_pgs is the one LCP solver of Siconos 4.4 that takes sparse storage: PSOR, RPGS, CPG
# and the Newton solvers crash or stop on an assertion; its dense storage takes seconds per iteration (theory 07).
PEER = """
import sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np, scipy.sparse as sp
import siconos.numerics as sn
entries, p = np.loadtxt(sys.argv[1] + ".matrix"), np.loadtxt(sys.argv[1] + ".vector")
place = entries[:, :2].astype(np.int64)
n = sp.csc_matrix((entries[:, 2], (place[:, 0], place[:, 1])), shape=(len(p), len(p)))
problem = sn.LCP(n, p)
target, most = float(sys.argv[2]), int(sys.argv[3])

def solve(tolerance):
    z, w = np.zeros(len(p)), np.zeros(len(p))
    options = sn.SolverOptions(sn.SICONOS_LCP_PGS)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = most
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    start = time.process_time()
    sn.linearComplementarity_driver(problem, z, w, options)
    seconds = time.process_time() - start
    return seconds, options.iparam[sn.SICONOS_IPARAM_ITER_DONE], abs(np.minimum(z, n @ z + p)).max()

tolerance = target
for _ in range(5):  # its own measure is relative to |p|: tightened until r meets the tolerance
    seconds, iterations, residual = solve(tolerance)
    if residual <= target or iterations >= most:
        break
    tolerance *= 0.8 * target / residual
least = min([seconds, *(solve(tolerance)[0] for _ in range(int(sys.argv[4]) - 1))])
print(least, iterations, residual)
"""
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def ours(arguments, base, method, step, *, repeat, write=None):
    """One line of JSON of the program; None if it did not end in time."""
    command = [arguments.lcp, "--base", base, "--method", method, "--tolerance", arguments.tolerance,
               "--repeat", repeat, *step, "-cd_lcp_max_it", arguments.most]
    if write:
        command += ["--write", write]
    try:
        run = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=ENVIRONMENT,
                             timeout=arguments.patience)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode != 0:
        raise harness.CaseError(f"{' '.join(map(str, command))}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def siconos(arguments, file, repeat):
    """Seconds, iterations and residual of lcp_pgs on N and p of a file; None if it cannot run."""
    try:
        run = subprocess.run([arguments.peer, "-c", PEER, str(file), str(arguments.tolerance), str(arguments.most),
                              str(repeat)], capture_output=True, text=True, env=ENVIRONMENT,
                             timeout=arguments.patience)
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return None
    if run.returncode != 0:
        return None
    seconds, iterations, residual = run.stdout.split()[-3:]
    return {"method": "Siconos lcp_pgs", "seconds": float(seconds), "iterations": int(iterations),
            "products": int(iterations), "residual": float(residual),
            "converged": float(residual) <= arguments.tolerance}


def row(result):
    return [result["method"], f"{result['seconds']:.3f}", result["iterations"], result["products"],
            f"{result['residual']:.1e}", "yes" if result["converged"] else "no"]


def compare(arguments, name, step):
    """A table of all methods for one step. Returns by how much the default is faster than Siconos."""
    file = arguments.work / "problem"
    repeat = 1 if step else arguments.repeat
    results = [ours(arguments, arguments.base, method, step, write=file if method == METHODS[0] else None,
                    repeat=repeat) for method in METHODS]
    peer = siconos(arguments, file, repeat)
    print(f"\n{name}, base {arguments.base}")
    missing = [f"{m}: not within {arguments.patience} s" for m, r in zip(METHODS, results) if r is None]
    common.table(["method", "CPU s", "iterations", "products", "r", "converged"],
                 [row(r) for r in [*results, peer] if r is not None])
    print(*missing, sep="\n", end="\n" if missing else "")
    if peer is None:
        print(f"Siconos: not within {arguments.patience} s, or not there (python3-siconos, python3-scipy; --peer)")
        return math.nan
    default = results[0]
    ratio = peer["seconds"] / default["seconds"]
    print(f"{METHODS[0]} is {ratio:.1f} times as fast{'' if peer['converged'] else ' (Siconos did not converge)'}")
    return ratio if default["converged"] else 0


def grow(arguments, name, step, methods):
    """Seconds and products against bodies, with their exponents."""
    print(f"\ngrowth, {name}")
    rows = []
    for method in methods:
        results = [ours(arguments, base, method, step, repeat=arguments.repeat if base <= 20 else 2)
                   for base in arguments.growth]
        if None in results or not all(r["converged"] for r in results):
            print(f"{method}: does not solve all sizes")
            continue
        bodies = [math.log(r["bodies"]) for r in results]
        rows.append([method, *(f"{r['seconds']:.4f} ({r['products']})" for r in results),
                     *(f"{harness.slope(bodies, [math.log(r[what]) for r in results]):.2f}"
                       for what in ("seconds", "products")),
                     *(f"{(b['peak_kB'] - a['peak_kB']) / (b['contacts'] - a['contacts']):.2f}"
                       for a, b in (results[:2], results[-2:]))])
    common.table(["method", *(f"base {b}: s (products)" for b in arguments.growth), "exponent", "of products",
                  "kB/contact, first", "last two"], rows)


def main(ratios):
    parser = argparse.ArgumentParser(description=__doc__)
    common.add_options(parser, "lcp_pyramid")
    parser.add_argument("--lcp", help="the program (default: of the build folder)")
    parser.add_argument("--peer", default="/usr/bin/python3", help="the Python that has Siconos")
    parser.add_argument("--base", type=int, default=20, help="spheres along the base")
    parser.add_argument("--growth", type=int, nargs="*", default=[10, 20, 30, 40])
    parser.add_argument("--tolerance", type=float, default=1e-9)
    parser.add_argument("--most", type=int, default=20000, help="iterations")
    parser.add_argument("--repeat", type=int, default=5, help="solves at rest, of which the fastest counts")
    parser.add_argument("--patience", type=float, default=200, help="wall time for a method [s]")
    parser.add_argument("--steps", nargs="*", default=list(STEPS), help=f"of: {', '.join(STEPS)}")
    arguments = common.parse(parser, "lcp_pyramid")
    arguments.lcp = arguments.lcp or arguments.build / "bench" / "lcp_pyramid"
    faster = {name: compare(arguments, name, STEPS[name]) for name in arguments.steps}
    if arguments.growth:
        grow(arguments, "at rest", STEPS["at rest"], ["apgd", "bncg", "pgs"])
        grow(arguments, "shaken, 0.02 m/s", STEPS["shaken, 0.02 m/s"], ["apgd"])
    if math.isnan(faster.get("at rest", math.nan)):
        ratios.tell("at rest, times as fast as Siconos", "not compared: Siconos is not there, or too slow")
    else:
        ratios.at_least("at rest, times as fast as Siconos", faster["at rest"], AIM, "required")
    for name, ratio in faster.items():
        if name != "at rest" and not math.isnan(ratio):
            ratios.tell(f"{name}, times as fast as Siconos", f"{ratio:.1f}")


if __name__ == "__main__":
    sys.exit(common.main_of("lcp_pyramid", __doc__, main))
