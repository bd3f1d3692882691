"""The cylinders of this case and their bin, for the program and for LIGGGHTS."""
import slot_bin

DIAMETER, BLOCKINESS, FRICTION = 0.001, (8, 2), 0.1
NUMBERS = {0.33: 1050, 0.5: 700, 1.0: 350, 1.5: 233}  # of cylinders by aspect ratio: half of the paper's
BIN = slot_bin.Bin(width=11 * DIAMETER, depth=4 * DIAMETER, slot=3.6 * DIAMETER, counted=3 * DIAMETER, opens=0.13, end=0.4,
                   every=0.005, density=2500.0, young=2e5, poisson=0.29, restitution=0.5, periodic=True)
SEEDS = (1, 2)  # a bed each: what one slot passes in a second is largely chance
