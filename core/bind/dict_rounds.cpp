// The short ways of learn_one and predict_one, for dicts and known labels.
#include "../weights.h"
#include "features.h"
#include "loops.h"

namespace littlestone::bind {
namespace {

// Forgets an error that says that a value is no label; Ctrl-C and the like go on.
void pass_over() {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_ValueError))
        throw nb::python_error();
    PyErr_Clear();
}

bool same(nb::handle a, nb::handle b) {
    if (a.ptr() == b.ptr()) return true;
    const int answer = PyObject_RichCompareBool(a.ptr(), b.ptr(), Py_EQ);
    if (answer < 0) pass_over();
    return answer == 1;
}

// The sign of a label among (negative, positive), and 0 for one that is not known.
std::int8_t sign_of(nb::handle y, const nb::list& labels) {
    return same(y, labels[1]) ? +1 : same(y, labels[0]) ? -1 : 0;
}

// The short way of a learner: straight into a loop, nothing allocated. It answers None, with nothing learned, where the
// long way has to be taken: another thread is at work, the label is new, the state has no room yet for the features, or
// the round is one that is looked at.
struct DictRounds {
    nb::object loop_object, features_object, totals_object;
    HeldLoop& loop;
    Features& features;
    Ledger& ledger;
    nb::dict numbers;  // of the classes by label; empty where labels are signs
    nb::list labels;   // negative and positive, or the classes in the order of their numbers
    HeldBatch scratch;
    std::vector<double> scores;
    Count until;                   // the first round that is looked at
    std::size_t names_before = 0;  // features before the row that was placed last
    bool closed = false;

    DictRounds(nb::object loop, nb::object features, nb::object totals, nb::dict numbers, nb::list labels, Count until)
        : loop_object(loop),
          features_object(features),
          totals_object(totals),
          loop(nb::cast<HeldLoop&>(loop)),
          features(nb::cast<Features&>(features)),
          ledger(nb::cast<Ledger&>(totals)),
          numbers(numbers),
          labels(labels),
          until(until) {
        this->features.forget();  // an earlier batch may have stood at the address of this one's scratch
    }

    // Does what may fail for a lack of memory; the names of a row that was not learned are forgotten.
    template <class Work>
    auto or_forget(Work work) {
        try {
            return work();
        } catch (...) {
            forget_names();
            throw;
        }
    }

    bool is_open() const { return !closed && ledger.rounds < until; }

    nb::object learn(nb::handle x, nb::handle y) {
        if (!is_open()) return nb::none();
        return nb::len(numbers) > 0 ? learn_class(x, y) : learn_sign(x, y);
    }

    // Whether `learn` would take the round, or nothing but its width or its turn sent it the long way. Nothing changes.
    bool fits(nb::handle x, nb::handle y) {
        if (closed) return false;
        const bool met = nb::len(numbers) > 0 ? number_of(y) != nullptr : sign_of(y, labels) != 0;
        return met && placed(x, false);
    }

    nb::object predict(nb::handle x) {
        if (!placed(x, false)) return nb::none();
        scores.resize(loop.loop->scores());
        if (scores.empty()) return nb::none();
        return label(verdict());
    }

    // What is predicted for the row in the scratch, for whose scores there is room.
    int verdict() {
        loop.loop->score(scratch.batch, 0, 1, scores.data());
        return loop.loop->verdict(scores.data()).sign;
    }

    // Whether the row was placed last; it is ready to be learned then.
    bool is_placed(nb::handle x) {
        if (!features.is_last(x.ptr(), scratch)) return false;
        scratch.batch.width = names_before = features.size();
        return true;
    }

    // Places a row that was read. No code of the caller's runs from here to the end of the round.
    void place(const ReadRow& row, bool grow) {
        names_before = features.size();
        or_forget([&] { place_row(features, row, grow, scratch); });
    }

    // Whether the row that was placed can be learned as it is.
    bool takes(const Outcomes& outcomes) const {
        return features.size() <= loop.loop->width() && loop.loop->reads(outcomes) &&
               !is_wild(scratch.batch, outcomes, ledger);
    }

    // Forgets the names of a row that was not learned: who takes the long way finds what was there before.
    void forget_names() { features.truncate(names_before); }

    int learn_placed(const Outcomes& outcomes) {
        const Round round = or_forget([&] { return loop.loop->learn(scratch.batch, outcomes, 0, 1, &ledger, {}); });
        witness(scratch.batch, outcomes, 0, 1, ledger);
        return round.sign;
    }

  private:
    nb::object label(int shown) const {
        return labels[nb::len(numbers) > 0 ? static_cast<std::size_t>(shown) : shown > 0 ? 1 : 0];
    }

    nb::object learn_sign(nb::handle x, nb::handle y) {
        const std::int8_t sign = sign_of(y, labels);
        return sign == 0 ? nb::none() : learned(x, {Labels{&sign}, 1});
    }

    PyObject* number_of(nb::handle y) const {
        PyObject* known = PyDict_GetItemWithError(numbers.ptr(), y.ptr());
        if (known == nullptr) pass_over();  // not met yet, or nothing that could be a label: the long way tells which
        return known;
    }

    nb::object learn_class(nb::handle x, nb::handle y) {
        PyObject* known = number_of(y);
        if (known == nullptr) return nb::none();
        const auto number = nb::cast<std::int32_t>(nb::handle(known));
        return loop.loop->scores() == 0 ? nb::none() : learned(x, {Classes{&number}, 1});
    }

    nb::object learned(nb::handle x, const Outcomes& outcomes) {
        if (!placed(x, true)) return nb::none();
        if (!takes(outcomes)) {
            forget_names();
            return nb::none();
        }
        return label(learn_placed(outcomes));
    }

    // Encodes the row; false where the way was closed by the time it was read, for reading can run any code.
    bool placed(nb::handle x, bool grow) {
        if (closed || !PyDict_CheckExact(x.ptr())) return false;
        if (is_placed(x)) return true;
        ReadRow row = features.lend();
        read_row(features, x, 0, row);
        const bool open = !closed;
        if (open) place(row, grow);
        features.give_back(std::move(row));
        return open;
    }
};

// The short way of a master: a row is read once, and learned by every learner and by the vote, or by none. Its learners
// take no memory for a round, and neither does the vote: once the row is placed in all of them, nothing can fail.
struct VoteRounds {
    std::vector<nb::object> held;  // the ways of the learners, the vote's loop and its totals
    std::vector<DictRounds*> ways;
    HeldLoop& vote;
    Ledger& ledger;
    nb::list labels;
    Vector<double> wrong;  // how often each learner was
    HeldBatch votes;
    std::vector<std::uint64_t> columns;  // the hash of a column is its number
    Count until;                         // the first round of the vote that is looked at
    bool closed = false;

    VoteRounds(nb::list ways_of, nb::object loop, nb::object totals, nb::list labels, Vector<double> wrong, Count until)
        : held{loop, totals},
          vote(nb::cast<HeldLoop&>(loop)),
          ledger(nb::cast<Ledger&>(totals)),
          labels(labels),
          wrong(wrong),
          until(until) {
        for (nb::handle way : ways_of) {
            held.push_back(nb::borrow(way));
            ways.push_back(&nb::cast<DictRounds&>(way));
            ways.back()->scores.resize(1);
            votes.add_entry(static_cast<std::int32_t>(columns.size()), 1.0);
            columns.push_back(columns.size());
        }
        if (wrong.shape(0) != ways.size() || ways.empty() || vote.loop->width() < ways.size())
            raise("InvalidData", "a master has a way, a weight and a count for each of its learners");
        votes.start = {0, static_cast<std::int32_t>(ways.size())};
        votes.named = {static_cast<std::int32_t>(ways.size())};
        cast_votes();  // makes the room that every round takes
    }

    nb::object learn(nb::handle x, nb::handle y) {
        if (!is_open()) return nb::none();
        const std::int8_t sign = sign_of(y, labels);
        const Outcomes outcomes{Labels{&sign}, 1};
        if (sign == 0 || !placed(x, true) || !takes(outcomes)) return nb::none();
        for (std::size_t k = 0; k < ways.size(); ++k) votes.value[k] = ways[k]->learn_placed(outcomes) > 0 ? 1.0 : -1.0;
        cast_votes();
        const Round round = vote.loop->learn(votes.batch, outcomes, 0, 1, &ledger, {});
        witness(votes.batch, outcomes, 0, 1, ledger);
        for (std::size_t k = 0; k < ways.size(); ++k) wrong(k) += votes.value[k] != sign;
        return labels[round.sign == 1 ? 1 : 0];
    }

    nb::object predict(nb::handle x) {
        if (closed || !placed(x, false)) return nb::none();
        for (std::size_t k = 0; k < ways.size(); ++k) votes.value[k] = ways[k]->verdict() > 0 ? 1.0 : -1.0;
        cast_votes();
        double score = 0.0;
        vote.loop->score(votes.batch, 0, 1, &score);
        return labels[score < 0.0 ? 0 : 1];
    }

  private:
    bool is_open() const {
        return !closed && ledger.rounds < until &&
               std::all_of(ways.begin(), ways.end(), [](const DictRounds* way) { return way->is_open(); });
    }

    void cast_votes() { votes.finish(ways.size(), columns.data()); }

    // Encodes the row for every learner; false, with nothing placed, where a way was closed by the time it was read.
    bool placed(nb::handle x, bool grow) {
        if (!PyDict_CheckExact(x.ptr())) return false;
        const auto has = [&](DictRounds* way) { return !way->closed && way->is_placed(x); };
        if (std::all_of(ways.begin(), ways.end(), has)) return true;
        Features& reader = ways.front()->features;
        ReadRow row = reader.lend();
        read_row(reader, x, 0, row);
        const auto shut = [](const DictRounds* way) { return way->closed; };
        const bool open = !closed && std::none_of(ways.begin(), ways.end(), shut);
        if (open) place(row, grow);
        reader.give_back(std::move(row));
        return open;
    }

    void place(const ReadRow& row, bool grow) {
        for (std::size_t k = 0; k < ways.size(); ++k) {
            try {
                ways[k]->place(row, grow);
            } catch (...) {
                for (std::size_t before = 0; before < k; ++before) ways[before]->forget_names();
                throw;
            }
        }
    }

    // Whether all can learn the row that was placed in all; if not, none has met its names.
    bool takes(const Outcomes& outcomes) {
        const auto learns = [&](const DictRounds* way) { return way->takes(outcomes); };
        const bool all = std::all_of(ways.begin(), ways.end(), learns) && !is_wild(votes.batch, outcomes, ledger);
        if (!all)
            for (DictRounds* way : ways) way->forget_names();
        return all;
    }
};

}  // namespace

void bind_dict_rounds(nb::module_& m) {
    nb::class_<DictRounds>(m, "DictRounds",
                           "Dicts and known labels straight into a loop; None where the long way is to be taken.")
        .def(nb::init<nb::object, nb::object, nb::object, nb::dict, nb::list, Count>(), nb::arg("loop"),
             nb::arg("features"), nb::arg("totals"), nb::arg("numbers"), nb::arg("labels"), nb::arg("until"),
             nb::sig("def __init__(self, loop: Loop, features: Features, totals: Totals, "
                     "numbers: dict[collections.abc.Hashable, int], labels: list[collections.abc.Hashable], "
                     "until: int) -> None"))
        .def("learn", &DictRounds::learn, nb::arg("x"), nb::arg("y"),
             nb::sig("def learn(self, x: object, y: object) -> collections.abc.Hashable | None"),
             "One round: learns the dict and returns the label that was predicted before.")
        .def("predict", &DictRounds::predict, nb::arg("x"),
             nb::sig("def predict(self, x: object) -> collections.abc.Hashable | None"), "The label for a dict.")
        .def("fits", &DictRounds::fits, nb::arg("x"), nb::arg("y"),
             nb::sig("def fits(self, x: object, y: object) -> bool"),
             "Whether the dict and the label can be learned, as far as the short way can tell. Nothing changes.")
        .def("close", [](DictRounds& rounds) { rounds.closed = true; }, "From now on every answer is None.");

    nb::class_<VoteRounds>(m, "VoteRounds",
                           "Dicts and known labels straight into the loops of a master's learners and of its vote; "
                           "None where the long way is to be taken.")
        .def(nb::init<nb::list, nb::object, nb::object, nb::list, Vector<double>, Count>(), nb::arg("ways"),
             nb::arg("loop"), nb::arg("totals"), nb::arg("labels"), nb::arg("wrong").noconvert(), nb::arg("until"),
             nb::sig("def __init__(self, ways: list[DictRounds], loop: Loop, totals: Totals, "
                     "labels: list[collections.abc.Hashable], wrong: NDArray[numpy.float64], until: int) -> None"))
        .def("learn", &VoteRounds::learn, nb::arg("x"), nb::arg("y"),
             nb::sig("def learn(self, x: object, y: object) -> collections.abc.Hashable | None"),
             "One round of all: learns the dict and returns the label that was predicted before.")
        .def("predict", &VoteRounds::predict, nb::arg("x"),
             nb::sig("def predict(self, x: object) -> collections.abc.Hashable | None"), "The label for a dict.")
        .def("close", [](VoteRounds& rounds) { rounds.closed = true; }, "From now on every answer is None.");
}

}  // namespace littlestone::bind
