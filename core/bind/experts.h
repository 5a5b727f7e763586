// What the binding files of expert rules share.
#pragma once

#include <memory>
#include <vector>

#include "../experts/kernel.h"
#include "bind.h"

namespace littlestone::bind {

using State = Vector<double>;

// A rule on the arrays of its state; a loop takes it over.
struct HeldKernel {
    std::unique_ptr<ExpertKernel> kernel;
    std::vector<State> state;
};

void bind_expert_kernels(nb::module_& m);

}  // namespace littlestone::bind
