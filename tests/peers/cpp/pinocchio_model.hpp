// A problem as Pinocchio's model: a tree of revolute joints, and points that close its loops.
#pragma once

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/multibody/joint.hpp>

#include "model.hpp"

namespace pin = pinocchio;
using Contacts = std::vector<pin::RigidConstraintModel>;

inline Eigen::Vector3d vector(const double (&p)[3]) { return {p[0], p[1], p[2]}; }

// Joint i + 1 is that of body i, because problems list bodies depth first as Pinocchio wants them.
inline pin::JointIndex joint_of(int body) { return body + 1; }

inline pin::JointIndex add_joint(pin::Model& model, const Body& body, const std::string& name) {
  pin::SE3 place(Eigen::Matrix3d::Identity(), vector(body.origin));
  pin::JointIndex parent = joint_of(body.parent);
  if (body.axis[0] == 1) return model.addJoint(parent, pin::JointModelRX(), place, name);
  if (body.axis[1] == 1) return model.addJoint(parent, pin::JointModelRY(), place, name);
  return model.addJoint(parent, pin::JointModelRZ(), place, name);
}

inline pin::Model build_model(const Problem& problem) {
  pin::Model model;
  model.gravity.linear() = vector(problem.gravity);
  for (const Body& body : problem.bodies) {
    const double(&i)[6] = body.inertia;
    Eigen::Matrix3d inertia;
    inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    auto joint = add_joint(model, body, "j" + std::to_string(model.njoints - 1));
    model.appendBodyToJoint(joint, pin::Inertia(body.mass, vector(body.centre), inertia),
                            pin::SE3::Identity());
  }
  return model;
}

// Baumgarte's terms with both roots at -100 1/s, which keep loops closed without a projection.
inline Contacts build_contacts(const Problem& problem, const pin::Model& model) {
  const double root = 100;
  Contacts contacts;
  for (const Loop& loop : problem.loops) {
    pin::SE3 a(Eigen::Matrix3d::Identity(), vector(loop.at_a));
    pin::SE3 b(Eigen::Matrix3d::Identity(), vector(loop.at_b));
    pin::RigidConstraintModel contact(pin::CONTACT_3D, model, joint_of(loop.a), a, joint_of(loop.b), b,
                                      pin::LOCAL);
    contact.m_baumgarte_parameters.Kp = root * root;
    contact.m_baumgarte_parameters.Kd = 2 * root;
    contacts.push_back(contact);
  }
  return contacts;
}

// The springs' joint torques τ_j = a_j · ((p - o_j) × F), written so that they can be taped.
template <class Scalar>
void add_springs(const Problem& problem, const pin::ModelTpl<Scalar>& model, pin::DataTpl<Scalar>& data,
                 const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& q,
                 Eigen::Matrix<Scalar, Eigen::Dynamic, 1>& torque) {
  using Vector = Eigen::Matrix<Scalar, 3, 1>;
  if (problem.springs.empty()) return;
  pin::forwardKinematics(model, data, q);
  auto point = [&](int body, const double(&at)[3]) -> Vector {
    Vector local = vector(at).template cast<Scalar>();
    return body < 0 ? local : Vector(data.oMi[joint_of(body)].act(local));
  };
  auto pull = [&](int body, const Vector& at, const Vector& force) {
    for (; body >= 0; body = problem.bodies[body].parent) {
      const auto& frame = data.oMi[joint_of(body)];
      Vector axis = frame.rotation() * vector(problem.bodies[body].axis).template cast<Scalar>();
      torque[body] += axis.dot((at - frame.translation()).cross(force));
    }
  };
  for (const Spring& spring : problem.springs) {
    Vector a = point(spring.a, spring.at_a), b = point(spring.b, spring.at_b);
    using std::sqrt;
    Scalar length = sqrt((b - a).squaredNorm());
    Vector force = (b - a) * (Scalar(spring.stiffness) * (length - Scalar(spring.length)) / length);
    pull(spring.a, a, force);
    pull(spring.b, b, Vector(-force));
  }
}
