// Pinocchio as a library: articulated bodies, or constrained dynamics where there are loops.
// usage: pinocchio_library PROBLEM STEP
#include "pinocchio_model.hpp"
#include "stepping.hpp"

int main(int, char** arguments) {
  Problem problem = read_problem(arguments[1]);
  pin::Model model = build_model(problem);
  pin::Data data(model);
  Contacts contacts = build_contacts(problem, model);
  std::vector<pin::RigidConstraintData> contact_data;
  for (const auto& contact : contacts) contact_data.push_back(contact.createData());
  if (!contacts.empty()) pin::initConstraintDynamics(model, data, contacts, contact_data);
  pin::ProximalSettings once(1e-12, 1e-10, 1);
  int n = model.nv;
  Eigen::VectorXd q(n), v(n), fixed(n), torque(n);
  for (int i = 0; i < n; i++) fixed[i] = problem.bodies[i].torque;
  report(problem, atof(arguments[2]), [&](const double* from_q, const double* from_v, double* a) {
    q = Eigen::Map<const Eigen::VectorXd>(from_q, n);
    v = Eigen::Map<const Eigen::VectorXd>(from_v, n);
    torque = fixed;
    add_springs(problem, model, data, q, torque);
    Eigen::Map<Eigen::VectorXd> out(a, n);
    if (contacts.empty())
      out = pin::aba(model, data, q, v, torque, pin::Convention::WORLD);
    else
      out = pin::constraintDynamics(model, data, q, v, torque, contacts, contact_data, once);
  });
}
