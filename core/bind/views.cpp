#include "../views.h"

#include <nanobind/stl/vector.h>

#include "../cut_views.h"
#include "../weights.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

struct HeldView {
    std::unique_ptr<View> view;
    std::vector<State> arrays;
    std::vector<nb::object> parts = {};  // views that it is made of
};

template <class Scale>
HeldView* held_view(Scale scale, std::vector<State> arrays) {
    return new HeldView{view_of(std::move(scale)), std::move(arrays)};
}

HeldView* max_scale(State largest) {
    return held_view(FeatureScale<LargestValue>{{largest.data(), largest.shape(0)}}, {largest});
}

HeldView* mean_square_scale(State mean, State count) {
    check_lengths("a scale", mean, {count});
    return held_view(FeatureScale<MeanSquare>{{mean.data(), count.data(), mean.shape(0)}}, {mean, count});
}

HeldView* gauge(State level, State count) {
    check_lengths("a gauge", level, {count});
    return held_view(FeatureScale<GeometricMean>{{level.data(), count.data(), level.shape(0)}}, {level, count});
}

HeldView* standard_scale(State mean, State squares, State rounds) {
    check_lengths("a scale", mean, {squares});
    return held_view(StandardScale{mean.data(), squares.data(), number(rounds), mean.shape(0)},
                     {mean, squares, rounds});
}

HeldView* evidence(State positive, State negative, State totals, State met) {
    check_lengths("evidence", positive, {negative});
    if (totals.shape(0) != 2) raise("InvalidData", "evidence has two totals, one per label");
    return held_view(Evidence{positive.data(), negative.data(), totals.data(), number(met), positive.shape(0)},
                     {positive, negative, totals, met});
}

// Whether a scale with so many bins can have the places of the one of this number, itself or an earlier one.
bool is_kept(std::size_t s, double bins, double same) {
    if (bins == 0.0) return same == 0.0;
    const auto least = static_cast<double>(s < CutLayout::kinds ? 0 : CutLayout::kinds);
    if (!(same >= least + 1.0) || same > static_cast<double>(s + 1) || same != std::floor(same)) return false;
    return bins <= static_cast<double>(CutLayout::of[static_cast<std::size_t>(same) - 1].bins);
}

HeldView* cut_columns(State samples, State noted, State cuts, State bins, State same, State place, State rounds,
                      bool paired) {
    using Layout = CutLayout;
    const std::size_t width = noted.shape(0);
    const double told = *number(rounds);
    if (samples.shape(0) != width * Layout::samples || cuts.shape(0) != width * Layout::cuts ||
        bins.shape(0) != width * Layout::scales || same.shape(0) != width * Layout::scales ||
        place.shape(0) != width * 3)
        raise("InvalidData", "the arrays of columns that are cut differ in length");
    const auto whole = [](double value, double most) {
        return value >= 0.0 && value <= most && value == std::floor(value);
    };
    for (std::size_t i = 0; i < width; ++i) {
        bool sound = whole(told, Layout::samples) && whole(noted(i), told);
        for (std::size_t s = 0; s < Layout::scales; ++s)
            sound = sound && whole(bins(i * Layout::scales + s), static_cast<double>(Layout::of[s].bins)) &&
                    is_kept(s, bins(i * Layout::scales + s), same(i * Layout::scales + s));
        for (std::size_t g = 0; g < 3; ++g) sound = sound && whole(place(i * 3 + g), pool::most_paired);
        for (std::size_t g = 0; g < 3; ++g)
            sound = sound && (place(i * 3 + g) == 0.0 || bins(i * Layout::scales + Layout::kinds + g) > 0.0);
        if (!sound) raise("InvalidData", "the columns that are cut have a count that cannot be");
    }
    return held_view(CutColumns{samples.data(), noted.data(), cuts.data(), bins.data(), same.data(), place.data(),
                                number(rounds), width, paired},
                     {samples, noted, cuts, bins, same, place, rounds});
}

HeldView* chain(std::vector<nb::object> parts) {
    std::vector<View*> views;
    for (const nb::object& part : parts) views.push_back(nb::cast<HeldView&>(part).view.get());
    if (views.empty()) raise("InvalidData", "a chain has at least one view");
    for (std::size_t k = 1; k < views.size(); ++k)
        if (views[k]->width() != views[k - 1]->width() * views[k - 1]->spread())
            raise("InvalidData", "a view of a chain is not as wide as what the one before shows");
    return new HeldView{std::make_unique<ChainedView>(std::move(views)), {}, std::move(parts)};
}

void check_width(const HeldView& held, const HeldBatch& batch) {
    if (batch.batch.width > held.view->width())
        raise("InvalidData", "the batch has " + std::to_string(batch.batch.width) + " features and the view " +
                                 std::to_string(held.view->width()));
}

// Rows [begin, end) as they are shown, in arrays that the new batch keeps.
template <class Show>
HeldBatch* shown(const HeldView& held, HeldBatch& batch, std::size_t begin, std::size_t end, Show show) {
    check_width(held, batch);
    if (begin > end || end > batch.batch.count) raise("InvalidData", "there are no such rows in the batch");
    check_until(batch.batch, end);
    const auto rows = std::make_shared<Shown>();
    show(*rows);
    auto made = std::make_unique<HeldBatch>();
    made->batch = std::move(rows->measured(batch.batch, begin));
    made->batch.own = rows;
    return made.release();
}

HeldBatch* learn(HeldView& held, HeldBatch& batch, const HeldOutcomes& outcomes, std::size_t begin, std::size_t end) {
    if (outcomes.outcomes.count != batch.batch.count) raise("InvalidData", "rows and outcomes differ in length");
    return shown(held, batch, begin, end,
                 [&](Shown& rows) { held.view->learn(batch.batch, outcomes.outcomes, begin, end, rows); });
}

HeldBatch* show(const HeldView& held, HeldBatch& batch, std::size_t begin, std::size_t end) {
    return shown(held, batch, begin, end, [&](Shown& rows) { held.view->show(batch.batch, begin, end, rows); });
}

HeldLoop* behind(nb::object view, nb::object loop) {
    auto& seen = nb::cast<HeldView&>(view);
    auto& seeing = nb::cast<HeldLoop&>(loop);
    return new HeldLoop{std::make_unique<ViewedLoop>(*seen.view, *seeing.loop), {}, {view, loop}};
}

}  // namespace

void bind_views(nb::module_& m) {
    nb::class_<HeldView>(m, "View", "Running scales bound to the arrays that they are kept in.")
        .def("learn", &learn, nb::arg("batch"), nb::arg("outcomes"), nb::arg("begin"), nb::arg("end"),
             "Rows as a rule is shown them, each once the scales have taken it in; those of weight 0 they do not keep.")
        .def("show", &show, nb::arg("batch"), nb::arg("begin"), nb::arg("end"),
             "Each of the rows as it would be shown if it came next.");
    m.def("max_scale", &max_scale, nb::kw_only(), nb::arg("largest").noconvert());
    m.def("mean_square_scale", &mean_square_scale, nb::kw_only(), nb::arg("mean").noconvert(),
          nb::arg("count").noconvert());
    m.def("gauge", &gauge, nb::kw_only(), nb::arg("level").noconvert(), nb::arg("count").noconvert());
    m.def("standard_scale", &standard_scale, nb::kw_only(), nb::arg("mean").noconvert(), nb::arg("squares").noconvert(),
          nb::arg("rounds").noconvert());
    m.def("evidence", &evidence, nb::kw_only(), nb::arg("positive").noconvert(), nb::arg("negative").noconvert(),
          nb::arg("totals").noconvert(), nb::arg("met").noconvert());
    m.def("cut_columns", &cut_columns, nb::kw_only(), nb::arg("samples").noconvert(), nb::arg("noted").noconvert(),
          nb::arg("cuts").noconvert(), nb::arg("bins").noconvert(), nb::arg("same").noconvert(),
          nb::arg("place").noconvert(), nb::arg("rounds").noconvert(), nb::arg("paired"));
    m.def("chain", &chain, nb::arg("views"), nb::sig("def chain(views: list[View]) -> View"),
          "Views one behind another, each on what the one before shows.");
    m.def("behind", &behind, nb::arg("view"), nb::arg("loop"), nb::sig("def behind(view: View, loop: Loop) -> Loop"),
          "The loop, whose rule sees rows through the view.");
}

}  // namespace littlestone::bind
