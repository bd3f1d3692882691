"""Simulations on several ranks, by mpi4py. Run by ctest on 2 ranks (python.ranks)."""
import pathlib
import sys
import tempfile
import unittest

import numpy
from decks import INPUTS, deck

try:
    from mpi4py import MPI
except ImportError:
    print("skipped: no mpi4py")
    sys.exit(0)
import scree


class Ranks(unittest.TestCase):
    def test_bodies_are_distributed_and_sums_agree(self):
        comm = MPI.COMM_WORLD
        with scree.Simulation(INPUTS / "box_of_blocks.json", comm=comm) as all_ranks, \
                scree.Simulation(INPUTS / "box_of_blocks.json", comm=MPI.COMM_SELF) as alone:
            for _ in range(20):
                all_ranks.step()
                alone.step()
            ids = comm.allgather(all_ranks.bodies.id.tolist())
            places = numpy.concatenate(comm.allgather(all_ranks.bodies.position))
            joined = sum(ids, [])
            self.assertEqual(sorted(joined), alone.bodies.id.tolist())
            self.assertTrue(all(ids) or comm.size == 1)
            order = numpy.argsort(joined)
            numpy.testing.assert_allclose(places[order], alone.bodies.position, atol=1e-9)
            self.assertAlmostEqual(all_ranks.energy["potential"], alone.energy["potential"], delta=1e-9 * abs(alone.energy["potential"]))

    @unittest.skipIf(MPI.COMM_WORLD.size == 1, "one rank has one deck")
    def test_decks_that_differ_between_ranks_are_refused(self):
        rank = MPI.COMM_WORLD.rank
        with self.assertRaisesRegex(scree.InputError, "differs between the ranks"):
            scree.Simulation(deck("box_of_blocks.json", gravity=[0, 0, -9.81 - rank]), comm=MPI.COMM_WORLD)

    @unittest.skipIf(MPI.COMM_WORLD.size == 1, "one rank has one end")
    def test_ends_and_steps_that_differ_between_ranks_are_refused(self):
        rank = MPI.COMM_WORLD.rank
        with scree.Simulation(INPUTS / "box_of_blocks.json", comm=MPI.COMM_WORLD) as sim:
            for other in (0.0, 0.1, float("nan"), None):  # 0: nothing to do for this rank
                for call in (sim.run, sim.step):
                    with self.subTest(call=call.__name__, other=other), self.assertRaisesRegex(ValueError, "the same on all ranks"):
                        call(other if rank == 0 else 0.05)
            with self.assertRaisesRegex(ValueError, "solve: got a step of 1e-0?5 s on one rank and 2e-0?5 s on another"):
                sim.solve(1e-5 if rank == 0 else 2e-5)
            sim.step()

    def test_a_check_of_all_ranks_finds_no_other_run(self):
        comm = MPI.COMM_WORLD
        with tempfile.TemporaryDirectory() as mine:
            folder = pathlib.Path(comm.bcast(mine))
            (folder / "scree_files.txt").write_text("Scree writes this list of its files. A later run replaces what is listed, and nothing else.\n")
            comm.barrier()
            content = deck("block_on_slope.json")
            content["output"]["directory"] = str(folder)
            for _ in range(5):
                found = scree.check(content, comm=comm)
                self.assertEqual([one for one in found if one.severity == "error"], [])
            content["output"]["directory"] = str(folder / "scree_files.txt")
            found = [str(one) for one in scree.check(content, comm=comm)]
            self.assertEqual(comm.bcast(found), found)
            self.assertIn("/output/directory", found[0])
            comm.barrier()

    def test_a_saved_state_gives_the_same_bits(self):
        with scree.Simulation(INPUTS / "box_of_blocks.json", comm=MPI.COMM_WORLD) as sim:
            sim.run(0.05)
            start = sim.save()
            sim.run(0.052)
            once = sim.save()
            sim.restore(start)
            sim.run(0.052)
            self.assertEqual(sim.save(), once)


if __name__ == "__main__":
    unittest.main()
