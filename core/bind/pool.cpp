#include "../pool/loop.h"

#include "../weights.h"
#include "loops.h"

namespace littlestone::bind {

using pool::Pool;

void bind_pool(nb::module_& m) {
    nb::class_<Pool>(m, "Pool", "The state of a pool of learners, for two labels or many.")
        .def(nb::init<>())
        .def_prop_ro("classes", [](const Pool& of) { return of.met(); })
        .def_prop_ro("weights", [](const Pool& of) {
            std::vector<double> w;
            for (const auto& one : of.classes) w.insert(w.end(), one.master.weights, one.master.weights + pool::expert_count);
            return owned_array(std::move(w));
        })
        .def_prop_ro("losses", [](const Pool& of) {
            std::vector<double> w;
            for (const auto& one : of.classes) w.insert(w.end(), one.losses, one.losses + pool::expert_count);
            return owned_array(std::move(w));
        })
        .def("loop", [](nb::object self) {
            auto* held = new HeldLoop{std::make_unique<pool::PoolLoop>(nb::cast<Pool&>(self)), {}};
            held->parts.push_back(self);
            return held;
        });
}

}  // namespace littlestone::bind
