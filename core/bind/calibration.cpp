#include "../calibration.h"

#include "../weights.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

struct HeldCalibration {
    std::vector<State> arrays;
    Calibration calibration;
    Foreteller foreteller;  // for rounds of rules written in Python

    HeldCalibration(State slope, State variance, State lead, State leads, State learns)
        : arrays{slope, variance, lead, leads, learns},
          calibration{number(slope), number(variance), number(lead), number(leads), number(learns)},
          foreteller(calibration) {}
};

void chances(const HeldCalibration& held, Vector<const double> scores, std::size_t count, Vector<double> out) {
    const std::size_t classes = std::max<std::size_t>(count, 2);
    if (count == 0 || scores.shape(0) % count != 0 || scores.shape(0) / count * classes != out.shape(0))
        raise("InvalidData", "scores and probabilities differ in length");
    for (std::size_t t = 0; t < scores.shape(0) / count; ++t) {
        const double pair[] = {0.0, scores(t * count)};
        held.calibration.read(count == 1 ? pair : &scores(t * count), classes, &out(t * classes));
    }
}

Trial foretell(HeldCalibration& held, Trial trial, Vector<const double> scores, std::size_t before) {
    const std::size_t count = scores.shape(0);
    held.foreteller.begin(count);
    if (trial.truth < 0)
        held.foreteller.foretell(trial);
    else if (static_cast<std::size_t>(trial.truth) < std::min(before, count))
        held.foreteller.foretell(scores.data(), count, static_cast<std::size_t>(trial.truth), trial);
    return trial;
}

HeldLoop* calibrated(nb::object calibration, nb::object loop) {
    const auto& by = nb::cast<HeldCalibration&>(calibration);
    auto& of = nb::cast<HeldLoop&>(loop);
    return new HeldLoop{std::make_unique<CalibratedLoop>(by.calibration, *of.loop), {}, {calibration, loop}};
}

}  // namespace

void bind_calibration(nb::module_& m) {
    nb::class_<HeldCalibration>(m, "Calibration", "The slope that turns scores into log-odds, bound to its numbers.")
        .def(nb::init<State, State, State, State, State>(), nb::kw_only(), nb::arg("slope").noconvert(),
             nb::arg("variance").noconvert(), nb::arg("lead").noconvert(), nb::arg("leads").noconvert(),
             nb::arg("learns").noconvert())
        .def("chances", &chances, nb::arg("scores").noconvert(), nb::arg("count"), nb::arg("out").noconvert(),
             "The probabilities for so many scores per row, one behind another; of one score those of two labels.")
        .def("foretell", &foretell, nb::arg("trial"), nb::arg("scores").noconvert(), nb::arg("before"),
             "The round with the probability that the truth was given; of classes that were there before it.")
        .def(
            "learn", [](HeldCalibration& held, double weight) { held.foreteller.learn(weight); }, nb::arg("weight"),
            "Learns what was foretold last.");
    m.def("calibrated", &calibrated, nb::arg("calibration"), nb::arg("loop"),
          nb::sig("def calibrated(calibration: Calibration, loop: Loop) -> Loop"),
          "The loop, whose rounds have probabilities.");
}

}  // namespace littlestone::bind
