// The members that are linear in the gauged row: AROW, AdaGrad twice, Passive-Aggressive; and naive Bayes.
#pragma once

#include "gauge.h"
#include "row.h"

namespace littlestone::pool {

// Sums over a row with the evidence weights of a class: everything that the linear members and naive Bayes score by.
struct Sums {
    double scale = 1.0;  // rho = 1/sqrt(1 + sum g^2), by which the row has norm 1
    double scores[4];    // AROW, AdaGrad logistic, AdaGrad hinge, Passive-Aggressive
    double evidence;     // sum |f| lambda
};

// What the lines of a class know of the features of a row that is filled up.
void read_lines(const Row& row, const Lines& lines, Weighed& weighed);

// f, n and L of every entry from the shared gauges, which stand in the lines of the first class.
void gauge_row(Row& row, const Weighed& of_first);

// lambda, g, and the sums. `offset` is ln((P + V/2)/(N + V/2)).
Sums weigh_row(const Row& row, float offset, Weighed& weighed);
// The same without evidence: lambda is 0, and g is f (targets).
Sums weigh_row(const Row& row, Weighed& weighed);

// A margin this near to 1 is reached: those who step until it is there leave it to rounding on which side they stop,
// and whether a precision grows must not hang on that.
inline constexpr double reached = 1e-5;

// The steps of the four members.
struct Steps {
    double logistic_error;  // c = y sigma(-m)
    double loss[4];         // 1 - m of AROW, -, hinge and Passive-Aggressive, y their sign; 0 where it is reached
    double sign;
    double weight;
};
void step_linear(const Row& row, double scale, const Steps& steps, Weighed& weighed);

// Adds the masses of the row; says by how much the two totals change.
struct Masses {
    double positive = 0.0, negative = 0.0;
};
Masses add_masses(const Row& row, bool positive, double weight, Weighed& weighed);

// What was weighed, and the gauges of the row, back to the lines.
void write_lines(const Row& row, const Weighed& weighed, Lines& lines);

}  // namespace littlestone::pool
