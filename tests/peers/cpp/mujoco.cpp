// MuJoCo with its RK4.  usage: mujoco PROBLEM MJCF [SECONDS]
// With SECONDS it simulates that long and tells the wall clock and where body 0 points to.
#include <mujoco/mujoco.h>

#include "model.hpp"

constexpr int STEPS = 100;

int main(int count, char** arguments) {
  Problem problem = read_problem(arguments[1]);
  char why[1000] = "";
  mjModel* model = mj_loadXML(arguments[2], nullptr, why, sizeof why);
  if (!model) {
    fprintf(stderr, "%s\n", why);
    return 1;
  }
  mjData* data = mj_makeData(model);
  int n = problem.bodies.size();
  std::vector<int> at(n);
  for (int i = 0; i < n; i++) {
    int joint = mj_name2id(model, mjOBJ_JOINT, ("j" + std::to_string(i)).c_str());
    at[i] = model->jnt_dofadr[joint];
  }
  auto reset = [&] {
    mj_resetData(model, data);
    for (int i = 0; i < n; i++) {
      data->qpos[at[i]] = problem.bodies[i].angle;
      data->qvel[at[i]] = problem.bodies[i].rate;
      data->qfrc_applied[at[i]] = problem.bodies[i].torque;
    }
  };
  reset();
  if (count > 3) {
    long steps = lround(atof(arguments[3]) / model->opt.timestep);
    double begin = nanoseconds();
    for (long k = 0; k < steps; k++) mj_step(model, data);
    double angle = data->qpos[at[0]];
    printf("{\"seconds\": %.6f, \"tip\": [%.12g, %.12g]}\n", (nanoseconds() - begin) * 1e-9, cos(angle), sin(angle));
    return 0;
  }
  mj_forward(model, data);
  std::vector<double> a(n);
  for (int i = 0; i < n; i++) a[i] = data->qacc[at[i]];
  double acceleration = smallest(STEPS, [&] {
    for (int k = 0; k < STEPS; k++) mj_forward(model, data);
  });
  double step = smallest(STEPS, [&] {
    reset();
    for (int k = 0; k < STEPS; k++) mj_step(model, data);
  });
  printf("{\"acceleration_ns\": %.1f, \"step_ns\": %.1f, ", acceleration, step);
  print_list("accelerations", a.data(), n);
  printf("}\n");
}
