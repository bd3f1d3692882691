"""A sphere strikes an elastic beam, then another one rests on it: the beam by FEniCSx, the sphere by Scree.
usage: ./scree python inputs/python/coupled_beam.py [--short]     (Debian: python3-dolfinx)
Prints figures beside those of Timoshenko's beam; exit status 1 if one is off by more than 2 % (deflection at rest: 0.1 %), 77 without
dolfinx: not run.
docs/coupling_structures.md explains the scheme; theory 13 sections 4 and 5 the references.
"""
import sys

import numpy as np
import scree
try:
    import dolfinx
    import ufl
    from dolfinx.fem.petsc import assemble_matrix, assemble_vector
    from mpi4py import MPI
    from petsc4py import PETSc
except ImportError as missing:
    print(f"not run: {missing}; install python3-dolfinx and use /usr/bin/python3")
    sys.exit(77)

YOUNG, POISSON, DENSITY = 215.8e9, 0.29, 7960.0
SIDE, RADIUS, SPREAD, SPEED, GRAVITY, BETA, GAMMA = 0.01, 0.01, 0.005, 0.01, 9.81, 0.25, 0.5


class Beam:
    """Linear elastic block with quadratic elements, ends supported; Newmark's method, or static."""

    def __init__(self, length, along, across=2):
        self.mesh = dolfinx.mesh.create_box(MPI.COMM_SELF, [[0, -SIDE / 2, -SIDE], [length, SIDE / 2, 0]],
                                            [along, across, across], dolfinx.mesh.CellType.hexahedron)
        space = dolfinx.fem.VectorFunctionSpace(self.mesh, ("Lagrange", 2))
        u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
        mu, lam = YOUNG / (2 + 2 * POISSON), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
        stress = 2 * mu * ufl.sym(ufl.grad(u)) + lam * ufl.div(u) * ufl.Identity(3)
        self.place = place = space.tabulate_dof_coordinates()
        end = np.minimum(place[:, 0], length - place[:, 0]) < 1e-9  # supports: z, and mid-lines in y and x
        supports = np.stack([(place[:, 0] < 1e-9) & (abs(place[:, 2] + SIDE / 2) < 1e-9),
                             end & (abs(place[:, 1]) < 1e-9), end], 1)
        self.fixed = np.flatnonzero(supports.ravel()).astype(np.int32)
        self.stiffness = assemble_matrix(dolfinx.fem.form(ufl.inner(stress, ufl.sym(ufl.grad(v))) * ufl.dx))
        self.mass = assemble_matrix(dolfinx.fem.form(DENSITY * ufl.inner(u, v) * ufl.dx))
        for matrix, diagonal in ((self.stiffness, YOUNG * SIDE), (self.mass, 0.0)):
            matrix.assemble()
            matrix.zeroRowsColumns(self.fixed, diagonal)
        self.volume = assemble_vector(dolfinx.fem.form(v[0] * ufl.dx)).array[::3]
        self.u, self.v, self.a = (self.stiffness.createVecRight() for _ in range(3))
        # Nodes of the upper surface, their triangles, and rows of means around them: docs/coupling_structures.md.
        top = np.flatnonzero(abs(self.place[:, 2]) < 1e-9)
        n = 2 * along + 1  # nodes along the beam; rows of nodes are ordered by y, then by x
        top = top[np.lexsort((self.place[top, 0], np.rint(self.place[top, 1] / SIDE * 100)))]
        self.surface = self.place[top]
        corner = np.array([[k] for k in range(len(top) - n) if (k + 1) % n])
        self.triangles = np.concatenate([corner + [0, 1, n + 1], corner + [0, n + 1, n]])
        self.means = np.zeros((len(top), len(self.place)))
        for row, at in zip(self.means, self.surface):
            radius, terms = SPREAD, 0
            while not terms:  # near corners a larger radius, or a linear basis
                x, y, z = (self.place - at).T / radius
                weight = abs(self.volume) * np.maximum(1 - x * x - y * y, 0) ** 2
                basis = np.stack([np.ones_like(x), x, y, z, x * x, x * y, y * y])
                moments = basis * weight @ basis.T
                terms = next((t for t in (7, 4) if np.linalg.matrix_rank(moments[:t, :t], 1e-6 * moments[0, 0]) == t), 0)
                radius *= 1.25
            row[:] = np.linalg.solve(moments[:terms, :terms], np.eye(terms)[0]) @ (basis[:terms] * weight)

    def set_step(self, h, static=False):
        self.h, self.inertia = h, 0.0 if static else 1 / (BETA * h * h)
        matrix = self.stiffness.copy()
        matrix.axpy(self.inertia, self.mass)
        self.solver = PETSc.KSP().create(MPI.COMM_SELF)
        self.solver.setOperators(matrix)
        self.solver.setType("preonly")
        self.solver.getPC().setType("lu")

    def solve(self, forces):
        self.predicted = self.u + self.h * self.v + self.h ** 2 * (0.5 - BETA) * self.a
        load = self.mass * (self.inertia * self.predicted)
        load.array += (self.means.T @ forces).ravel()
        load.array[self.fixed] = 0
        self.end = self.u.duplicate()
        self.solver.solve(load, self.end)
        return self.means @ self.end.array.reshape(-1, 3)

    def accept(self):
        if self.inertia:
            a = self.inertia * (self.end - self.predicted)
            self.v, self.a = self.v + self.h * ((1 - GAMMA) * self.a + GAMMA * a), a
        self.u = self.end


def couple(beam, length, speed, gravity, step, weights):
    """Generates (force on the beam, velocity of the sphere upwards) of coupled steps."""
    deck = {"time": {"end": 1.0, "step": step}, "gravity": [0, 0, -gravity], "solver": {"newton": {"relative": 1e-10}},
            "integrator": {"type": "newmark", "beta": weights[0], "gamma": weights[1]},
            "materials": {"steel": {"density": DENSITY, "young": YOUNG, "poisson": POISSON}},
            "shapes": {"sphere": {"type": "sphere", "radius": RADIUS}},
            "bodies": [{"shape": "sphere", "material": "steel", "position": [length / 2, 0, RADIUS],
                        "velocity": [0, 0, -speed]}],
            "boundaries": [{"name": "beam", "type": "surface", "material": "steel", "motion": "coupled",
                            "vertices": beam.surface, "faces": beam.triangles}],
            "interfaces": [{"between": ["steel", "steel"], "normal": {"law": "hertz"}}]}
    with scree.Participant(deck) as side:
        surface = side.add_surface("beam", beam.surface, beam.triangles)
        side.initialize()
        accelerator, predictor, forces = scree.Accelerator(), scree.ForcePredictor(), side.forces(surface)

        def image(x):
            side.set_motion(surface, x)
            report = side.solve_step(step)
            assert report.converged, report.message
            return beam.solve(side.forces(surface))

        while True:
            assert accelerator.iterate(image, beam.solve(predictor.predict(forces)))[1], "coupled step not converged"
            before, forces = -forces[:, 2].sum(), side.forces(surface)
            force = -forces[:, 2].sum()
            if (force != 0) != (before != 0):
                accelerator.forget()
            side.accept()
            beam.accept()
            predictor.accept(forces)
            yield force, side.bodies.velocity[0, 2]


def main():
    length, step = 0.1535, 4e-6 if "--short" in sys.argv else 2e-6
    beam = Beam(length, 32)
    beam.set_step(step)
    history = []
    run = couple(beam, length, SPEED, 0.0, step, (BETA, GAMMA))
    while len(history) < 4 or history[-1][0] > 0:
        history.append(next(run))
    force, velocity = np.array(history).T
    figures = [("largest force [N]", force.max(), 4.924, 0.02),
               ("velocity after / before", -velocity[-1] / SPEED, -0.2988, 0.02)]
    length, weight = 0.3, 4 / 3 * np.pi * RADIUS ** 3 * DENSITY * GRAVITY
    beam = Beam(length, 64)
    beam.set_step(0.01, static=True)
    list(zip(range(40), couple(beam, length, 0.0, GRAVITY, 0.01, (1.0, 1.0))))
    section = abs(beam.place[:, 0] - length / 2) < 1e-9
    deflection = -np.average(beam.u.array[2::3][section], weights=beam.volume[section])
    bending, shear = YOUNG * SIDE ** 4 / 12, 5 / 6 * YOUNG / (2 + 2 * POISSON) * SIDE ** 2
    figures.append(("deflection at rest [m]", deflection, weight * (length ** 3 / 48 / bending + length / 4 / shear), 1e-3))
    for name, measured, expected, tolerance in figures:
        print(f"{name:28} {measured:13.6g}   expected {expected:11.6g}, {100 * (measured / expected - 1):+.3f} %")
    return int(any(abs(m / e - 1) > tolerance for _, m, e, tolerance in figures))


sys.exit(main())
