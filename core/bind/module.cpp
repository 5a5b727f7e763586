#include "../cores.h"
#include "../loop.h"
#include "bind.h"

namespace littlestone::bind {

void raise(const char* exception, const std::string& sentence) {
    nb::object type = nb::module_::import_("littlestone.errors").attr(exception);
    PyErr_SetString(type.ptr(), sentence.c_str());
    throw nb::python_error();
}

// What the loop throws, as an exception of ours.
void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Unscorable& at) {
        nb::object type = nb::module_::import_("littlestone.errors").attr("InvalidData");
        const std::string sentence = "row " + std::to_string(at.row) + ": the score is " +
                                     (std::isnan(at.score) ? "nan" : "infinite") +
                                     ": the weights or the row are too large to be multiplied; scale the rows";
        PyErr_SetString(type.ptr(), sentence.c_str());
    }
}

}  // namespace littlestone::bind

NB_MODULE(_core, m) {
    nb::set_leak_warnings(false);  // what lives until the interpreter ends is not a leak to its user
    nb::register_exception_translator(littlestone::bind::translate);
    m.doc() = "The compiled core of littlestone: checked batches, the loop of each protocol, running totals.";
    m.def("version", [] { return LITTLESTONE_VERSION; }, "The version of the library.");
    m.def("work_beside_others", &littlestone::works_beside_others, nb::arg("beside"),
          "Says whether this thread is one of several that keep the cores busy, so that none is taken to help it; "
          "returns what was said before.");
    littlestone::bind::bind_batch(m);
    littlestone::bind::bind_calibration(m);
    littlestone::bind::bind_comparators(m);
    littlestone::bind::bind_experts(m);
    littlestone::bind::bind_features(m);
    littlestone::bind::bind_feature_rows(m);
    littlestone::bind::bind_games(m);
    littlestone::bind::bind_ledger(m);
    littlestone::bind::bind_linear(m);
    littlestone::bind::bind_dict_rounds(m);
    littlestone::bind::bind_multiclass(m);
    littlestone::bind::bind_kernel_rules(m);
    littlestone::bind::bind_pool(m);
    littlestone::bind::bind_readers(m);
    littlestone::bind::bind_views(m);
    littlestone::bind::bind_multiplicative(m);
}
