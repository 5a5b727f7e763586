// What the binding files of expert rules share.
#pragma once

#include <memory>
#include <vector>

#include "../experts/compiled.h"
#include "bind.h"

namespace littlestone::bind {

using State = Vector<double>;

// A rule on the arrays of its state; a loop takes it over.
struct HeldExperts {
    std::unique_ptr<CompiledExperts> compiled;
    std::vector<State> state;
};

void bind_expert_rules(nb::module_& m);

}  // namespace littlestone::bind
