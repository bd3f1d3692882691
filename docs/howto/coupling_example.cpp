// A code of one's own coupled to Scree: a tray on a spring, hit by a ball (docs/howto/coupling.md).
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "io/coupling/participant.hpp"

const char* const kDeck = R"({
  "time": {"end": 0.5, "step": {"initial": 1e-4, "min": 1e-8, "max": 1e-3}}, "gravity": [0, 0, -9.81],
  "materials": {"rock": {"density": 2500}}, "shapes": {"ball": {"type": "sphere", "radius": 0.05}},
  "bodies": [{"shape": "ball", "material": "rock", "position": [0.02, 0.01, 0.1]}],
  "boundaries": [{"name": "tray", "type": "surface", "material": "rock", "motion": "coupled",
                  "vertices": [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], "faces": [[0, 1, 2], [0, 2, 3]]}],
  "interfaces": [{"between": ["*", "*"], "normal": {"law": "hooke", "stiffness": 1e5, "damping": 40}}]})";

// The structure: mass m, spring k, dashpot c; average acceleration (Newmark, beta = 1/4).
struct Tray {
  double m = 2, k = 5e3, c = 20, u = 0, v = 0, a = 0;
  [[nodiscard]] Tray after(double dt, double force) const {
    Tray end = *this;
    const double v_half = v + 0.5 * dt * a, u_half = u + dt * v + 0.25 * dt * dt * a;
    end.a = (force - c * v_half - k * u_half) / (m + 0.5 * dt * c + 0.25 * dt * dt * k);
    end.v = v_half + 0.5 * dt * end.a;
    end.u = u_half + 0.25 * dt * dt * end.a;
    return end;
  }
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int most = 0;
  Tray tray;
  {
    scree::coupling::Participant scree =
        scree::coupling::Participant::from_text(kDeck, "tray.json", MPI_COMM_WORLD, {.write_outputs = false});
    const scree::coupling::Surface surface = scree.add_surface("tray");
    scree.initialize();
    std::vector<double> motion(scree.mesh(surface).reference.size(), 0.0);
    for (const double dt = 1e-3; scree.max_step() > 0.5 * dt;) {
      Tray next = tray.after(dt, scree.resultant(surface).force.z());  // first guess: the last force
      double guess = next.u, factor = 0.5, before = 0;
      for (int k = 1;; ++k) {
        for (std::size_t i = 2; i < motion.size(); i += 3) motion[i] = guess;
        scree.set_motion(surface, motion);
        const auto report = scree.solve_step(dt);
        if (!report.converged() || k == 30) return std::printf("%s\n", report.message.c_str()), 1;
        next = tray.after(dt, scree.resultant(surface).force.z());
        const double error = next.u - guess;
        most = std::max(most, k);
        if (std::abs(error) < 1e-9) break;
        if (k > 1 && error != before) factor *= -before / (error - before);  // Aitken
        guess += factor * error;
        before = error;
      }
      scree.accept();
      tray = next;
    }
    std::printf("t = %g s: tray at %.4f mm, force %.3f N, at most %d iterations\n", scree.time(), 1e3 * tray.u,
                scree.resultant(surface).force.z(), most);
  }
  MPI_Finalize();
  return most <= 10 && tray.u < 0 ? 0 : 1;
}
