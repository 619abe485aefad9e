// RK4 around any function that gives joint accelerations, and what is timed of it.
#pragma once

#include "model.hpp"

// How many steps are made before the motion begins anew, the same for all engines.
constexpr int STEPS = 100;
// Accelerations are evaluated at about so many states along these steps.
constexpr int STATES = 64;

using Numbers = std::vector<double>;

struct Joints {
  Numbers q, v;
};

inline Joints start(const Problem& problem) {
  Joints state;
  for (const Body& body : problem.bodies) {
    state.q.push_back(body.angle);
    state.v.push_back(body.rate);
  }
  return state;
}

// `accelerate(q, v, a)` works on arrays; nothing is allocated in a step.
template <class Accelerate>
struct Rk4 {
  Accelerate accelerate;
  size_t n;
  Numbers a1, a2, a3, a4, v2, v3, v4, q;

  Rk4(Accelerate accelerate, size_t n)
      : accelerate(accelerate), n(n), a1(n), a2(n), a3(n), a4(n), v2(n), v3(n), v4(n), q(n) {}

  void step(Joints& s, double h) {
    accelerate(s.q.data(), s.v.data(), a1.data());
    stage(s, s.v, a1, h / 2, v2);
    accelerate(q.data(), v2.data(), a2.data());
    stage(s, v2, a2, h / 2, v3);
    accelerate(q.data(), v3.data(), a3.data());
    stage(s, v3, a3, h, v4);
    accelerate(q.data(), v4.data(), a4.data());
    for (size_t i = 0; i < n; i++) {
      s.q[i] += h / 6 * (s.v[i] + 2 * (v2[i] + v3[i]) + v4[i]);
      s.v[i] += h / 6 * (a1[i] + 2 * (a2[i] + a3[i]) + a4[i]);
    }
  }

  void stage(const Joints& s, const Numbers& v, const Numbers& a, double h, Numbers& next) {
    for (size_t i = 0; i < n; i++) {
      q[i] = s.q[i] + h * v[i];
      next[i] = s.v[i] + h * a[i];
    }
  }
};

// Prints times of an acceleration and of a step, and the accelerations at the start.
template <class Accelerate>
void report(const Problem& problem, double h, Accelerate accelerate) {
  size_t n = problem.bodies.size();
  Rk4<Accelerate> method(accelerate, n);
  Joints begin = start(problem), state = begin;
  std::vector<Joints> states{begin};
  for (int i = 1; i <= STEPS; i++) {
    method.step(state, h);
    if (i % ((STEPS + STATES - 1) / STATES) == 0) states.push_back(state);
  }
  Numbers a(n);
  volatile double seen = 0;
  double acceleration = smallest(states.size(), [&] {
    for (const Joints& s : states) {
      accelerate(s.q.data(), s.v.data(), a.data());
      seen = a[0];
    }
  });
  double step = smallest(STEPS, [&] {
    state.q = begin.q, state.v = begin.v;
    for (int k = 0; k < STEPS; k++) method.step(state, h);
    seen = state.q[0];
  });
  accelerate(begin.q.data(), begin.v.data(), a.data());
  printf("{\"acceleration_ns\": %.2f, \"step_ns\": %.2f, ", acceleration, step);
  print_list("accelerations", a.data(), n);
  printf("}\n");
}
