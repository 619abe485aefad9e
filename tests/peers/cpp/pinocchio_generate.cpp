// Pinocchio's generated code: tapes the accelerations of a problem, writes them as C and has gcc
// compile it.  usage: pinocchio_generate PROBLEM LIBRARY GCC_FLAGS [world]
//
// With `world` open chains are taped as Pinocchio's own CodeGenABA does it, in world axes; without, in the axes of
// each body, of which the code is faster and sooner compiled.
#include <pinocchio/codegen/cppadcg-algo.hpp>

#include "pinocchio_model.hpp"

// Like the classes that Pinocchio brings along, with springs, without the multipliers among the
// results, and with a proximal term: the out-of-plane row of a plane loop is empty without one.
struct Accelerations : pin::CodeGenBase<double> {
  using Base = pin::CodeGenBase<double>;
  using Torque = Eigen::Matrix<ADScalar, Eigen::Dynamic, 1>;
  static constexpr double proximal = 1e-8;

  const Problem& problem;
  const pin::Convention convention;
  std::vector<pin::RigidConstraintModelTpl<ADScalar>> contacts;
  std::vector<pin::RigidConstraintDataTpl<ADScalar>> contact_data;

  Accelerations(const Problem& problem, const pin::Model& model, const std::string& library, pin::Convention convention)
      : Base(model, model.nq + 2 * model.nv, model.nv, "accelerate", library), problem(problem), convention(convention) {
    build_jacobian = false;
    for (const auto& contact : build_contacts(problem, model)) {
      contacts.push_back(contact.cast<ADScalar>());
      contact_data.emplace_back(contacts.back());
    }
    if (!contacts.empty()) pin::initConstraintDynamics(ad_model, ad_data, contacts, contact_data);
  }

  void buildMap() override {
    CppAD::Independent(ad_X);
    const int n = ad_model.nv;
    Torque q = ad_X.head(n), v = ad_X.segment(n, n), torque = ad_X.tail(n);
    add_springs(problem, ad_model, ad_data, q, torque);
    if (contacts.empty()) {
      ad_Y = pin::aba(ad_model, ad_data, q, v, torque, convention);
    } else {
      pin::ProximalSettingsTpl<ADScalar> once(ADScalar(1e-12), ADScalar(proximal), 1);
      ad_Y = pin::constraintDynamics(ad_model, ad_data, q, v, torque, contacts, contact_data, once);
    }
    ad_fun.Dependent(ad_X, ad_Y);
    ad_fun.optimize("no_compare_op");
  }
};

int main(int count, char** arguments) {
  Problem problem = read_problem(arguments[1]);
  pin::Convention convention = count > 4 ? pin::Convention::WORLD : pin::Convention::LOCAL;
  double start = nanoseconds();
  Accelerations code(problem, build_model(problem), arguments[2], convention);
  code.initLib();
  double taped = nanoseconds();
  code.compileLib("/usr/bin/gcc", arguments[3]);
  printf("{\"generate_s\": %.3f, \"compile_s\": %.3f}\n", (taped - start) * 1e-9,
         (nanoseconds() - taped) * 1e-9);
}
