// Simbody: pin mobilizers, loops as two planes each, because a ball's third row is redundant in the plane.
// RK4 around its accelerations, without projection, which is cheaper than its own integrators.
// usage: simbody PROBLEM STEP
#include <Simbody.h>

#include "stepping.hpp"

using namespace SimTK;

static Vec3 vec(const double (&p)[3]) { return Vec3(p[0], p[1], p[2]); }

// Turns z, about which a pin turns, into the axis.
static Rotation frame(const ::Body& body) {
  if (body.axis[0] == 1) return Rotation(Pi / 2, YAxis);
  if (body.axis[1] == 1) return Rotation(-Pi / 2, XAxis);
  return Rotation();
}

int main(int, char** arguments) {
  Problem problem = read_problem(arguments[1]);
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity(forces, matter, vec(problem.gravity));
  matter.setShowDefaultGeometry(false);
  std::vector<MobilizedBody> bodies;
  auto body_of = [&](int k) -> MobilizedBody& {
    return k < 0 ? static_cast<MobilizedBody&>(matter.updGround()) : bodies[k];
  };
  bodies.reserve(problem.bodies.size());
  for (const ::Body& body : problem.bodies) {
    const double(&i)[6] = body.inertia;
    Vec3 centre = vec(body.centre);
    Inertia inertia = Inertia(i[0], i[1], i[2], i[3], i[4], i[5]).shiftFromMassCenter(centre, body.mass);
    SimTK::Body::Rigid rigid(MassProperties(body.mass, centre, inertia));
    MobilizedBody& parent = body_of(body.parent);
    bodies.push_back(MobilizedBody::Pin(parent, Transform(frame(body), vec(body.origin)), rigid,
                                        Transform(frame(body), Vec3(0))));
    if (body.torque != 0) Force::MobilityConstantForce(forces, bodies.back(), 0, body.torque);
  }
  for (const Loop& loop : problem.loops)
    for (int k = 0; k < 2; k++)
      Constraint::PointInPlane(body_of(loop.a), UnitVec3(k == 0, k == 1, 0), loop.at_a[k], body_of(loop.b),
                               vec(loop.at_b));
  for (const Spring& spring : problem.springs)
    Force::TwoPointLinearSpring(forces, body_of(spring.a), vec(spring.at_a), body_of(spring.b), vec(spring.at_b),
                                spring.stiffness, spring.length);
  SimTK::State state = system.realizeTopology();
  system.realizeModel(state);
  int n = problem.bodies.size();
  Vector q(n), v(n);
  report(problem, atof(arguments[2]), [&](const double* from_q, const double* from_v, double* a) {
    for (int i = 0; i < n; i++) q[i] = from_q[i], v[i] = from_v[i];
    state.updQ() = q;
    state.updU() = v;
    system.realize(state, Stage::Acceleration);
    for (int i = 0; i < n; i++) a[i] = state.getUDot()[i];
  });
}
