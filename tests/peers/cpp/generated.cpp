// Times what pinocchio_generate wrote, called without its wrappers.  usage: generated PROBLEM STEP LIBRARY
#include <dlfcn.h>

#include "stepping.hpp"

// As in the generated source; no function that it would call is needed here.
struct Atomics {
  void* library;
  int (*forward)(void*, int, int, const void*, void*);
  int (*reverse)(void*, int, const void*, void*, void*, const void*);
};
using Generated = void (*)(const double* const*, double* const*, Atomics);

int main(int, char** arguments) {
  Problem problem = read_problem(arguments[1]);
  void* library = dlopen(arguments[3], RTLD_NOW);
  auto function = library ? (Generated)dlsym(library, "accelerate_forward_zero") : nullptr;
  if (!function) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  size_t n = problem.bodies.size();
  Numbers x(3 * n);
  for (size_t i = 0; i < n; i++) x[2 * n + i] = problem.bodies[i].torque;
  report(problem, atof(arguments[2]), [&](const double* q, const double* v, double* a) {
    std::copy(q, q + n, x.begin());
    std::copy(v, v + n, x.begin() + n);
    const double* in[] = {x.data()};
    double* out[] = {a};
    function(in, out, Atomics{});
  });
}
