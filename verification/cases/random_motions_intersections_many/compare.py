"""More seeds of random_motions_intersections."""
import importlib.util
import pathlib


def compare(case):
    file = pathlib.Path(__file__).parent.parent / "random_motions_intersections" / "compare.py"
    specification = importlib.util.spec_from_file_location("few_random_motions", file)
    few = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(few)
    few.scan(case, range(1000, 2000))
    few.scan_walls(case, [seed for seed in range(325) if seed not in few.WALL_SEEDS])
