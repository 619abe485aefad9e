// The problem file that `problems.py` writes, and the stopwatch that all C++ peers share.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

struct Body {
  int parent;
  double axis[3], origin[3], centre[3], mass;
  double inertia[6];  // xx yy zz xy xz yz about the centre
  double angle, rate, torque;
};

struct Loop {
  int a;
  double at_a[3];
  int b;
  double at_b[3];
};

struct Spring {
  int a;
  double at_a[3];
  int b;
  double at_b[3], stiffness, length;
};

struct Problem {
  double gravity[3];
  std::vector<Body> bodies;
  std::vector<Loop> loops;
  std::vector<Spring> springs;
};

template <int N>
void read(std::ifstream& in, double (&values)[N]) {
  for (double& value : values) in >> value;
}

inline Problem read_problem(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    fprintf(stderr, "%s cannot be read\n", path.c_str());
    exit(1);
  }
  Problem problem;
  std::string word;
  int count;
  in >> word;
  read(in, problem.gravity);
  in >> word >> count;
  problem.bodies.resize(count);
  for (Body& body : problem.bodies) {
    in >> body.parent;
    read(in, body.axis);
    read(in, body.origin);
    read(in, body.centre);
    in >> body.mass;
    read(in, body.inertia);
    in >> body.angle >> body.rate >> body.torque;
  }
  in >> word >> count;
  problem.loops.resize(count);
  for (Loop& loop : problem.loops) {
    in >> loop.a;
    read(in, loop.at_a);
    in >> loop.b;
    read(in, loop.at_b);
  }
  in >> word >> count;
  problem.springs.resize(count);
  for (Spring& spring : problem.springs) {
    in >> spring.a;
    read(in, spring.at_a);
    in >> spring.b;
    read(in, spring.at_b);
    in >> spring.stiffness >> spring.length;
  }
  if (!in) {
    fprintf(stderr, "%s ends too early\n", path.c_str());
    exit(1);
  }
  return problem;
}

inline double nanoseconds() {
  using namespace std::chrono;
  return duration<double, std::nano>(steady_clock::now().time_since_epoch()).count();
}

// The smallest time of one of `calls` calls that `work` makes: what the machine can do undisturbed. `work` is
// repeated for about half a millisecond, which is long for the clock and short for the scheduler, and that for
// a fifth of a second.
template <class Work>
double smallest(double calls, Work work) {
  work();
  double begin = nanoseconds();
  work();
  int repeats = std::max(1.0, 5e5 / (nanoseconds() - begin));
  double best = INFINITY;
  for (int i = 0; i < 5 || nanoseconds() - begin < 2e8; i++) {
    double start = nanoseconds();
    for (int k = 0; k < repeats; k++) work();
    best = std::min(best, (nanoseconds() - start) / (calls * repeats));
  }
  return best;
}

inline void print_list(const char* name, const double* values, size_t count) {
  printf("\"%s\": [", name);
  for (size_t i = 0; i < count; i++) printf("%s%.17g", i ? ", " : "", values[i]);
  printf("]");
}
