"""More seeds of random_motions_intersections."""
import harness


def compare(case):
    few = harness.load("random_motions_intersections")
    few.scan(case, range(1000, 2000))
    few.scan_walls(case, [seed for seed in range(325) if seed not in few.WALL_SEEDS])
