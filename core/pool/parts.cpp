#include "parts.h"

#include <utility>

#include "interaction.h"

namespace littlestone::pool {
namespace {

class Writer {
  public:
    Parts parts;

    void numbers(const std::string& name, double* values, std::size_t count) {
        parts[name].insert(parts[name].end(), values, values + count);
    }
    void expect(const std::string&, std::size_t) const {}
    bool goes_on(const std::string&) const { return true; }
    float narrowed(const std::string&, double value) const { return static_cast<float>(value); }
    void list(const std::string& name, std::vector<double>& values) {
        double size = static_cast<double>(values.size());
        numbers(name, &size, 1);
        numbers(name, values.data(), values.size());
    }
};

class Reader {
  public:
    explicit Reader(const Parts& parts) : parts_(parts) {}

    void numbers(const std::string& name, double* values, std::size_t count) {
        const double* from = next(name, count);
        std::copy(from, from + count, values);
    }
    void list(const std::string& name, std::vector<double>& values) {
        double size = 0.0;
        numbers(name, &size, 1);
        const std::size_t count = whole(size, 1e9, name);
        const double* from = next(name, count);
        values.assign(from, from + count);
    }
    static std::size_t whole(double value, double most, const std::string& name) {
        if (!(value >= 0.0) || value > most || value != std::floor(value))
            throw Unfit("the array '" + name + "' has a count that cannot be");
        return static_cast<std::size_t>(value);
    }
    // Refuses a count that there are no numbers for, before there is room for them.
    void expect(const std::string& name, std::size_t count) {
        if (const auto found = parts_.find(name); found == parts_.end() || found->second.size() - used_[name] < count)
            throw Unfit("the array '" + name + "' is missing or too short");
    }
    // Whether there is a number more.
    bool goes_on(const std::string& name) {
        const auto found = parts_.find(name);
        return found != parts_.end() && found->second.size() > used_[name];
    }
    float narrowed(const std::string& name, double value) const {
        if (!(std::fabs(value) <= std::numeric_limits<float>::max()))
            throw Unfit("the array '" + name + "' has a number that is too large");
        return static_cast<float>(value);
    }
    void finish() const {
        for (const auto& [name, values] : parts_)
            if (const auto used = used_.find(name); used == used_.end() || used->second != values.size())
                throw Unfit("the array '" + name + "' does not fit the others");
    }

  private:
    const Parts& parts_;
    std::map<std::string, std::size_t> used_;

    const double* next(const std::string& name, std::size_t count) {
        const auto found = parts_.find(name);
        std::size_t& used = used_[name];
        if (found == parts_.end() || found->second.size() - used < count)
            throw Unfit("the array '" + name + "' is missing or too short");
        const double* from = found->second.data() + used;
        for (std::size_t i = 0; i < count; ++i)
            if (!std::isfinite(from[i])) throw Unfit("the array '" + name + "' has a number that is not finite");
        used += count;
        return from;
    }
};

// A struct of doubles and nothing else.
template <class Archive, class Struct>
void plain(Archive& archive, const std::string& name, Struct& of) {
    static_assert(std::is_trivially_copyable_v<Struct> && sizeof(Struct) % sizeof(double) == 0);
    double values[sizeof(Struct) / sizeof(double)];
    std::memcpy(values, &of, sizeof(Struct));
    archive.numbers(name, values, sizeof(Struct) / sizeof(double));
    std::memcpy(&of, values, sizeof(Struct));
}

template <class Archive>
std::size_t counted(Archive& archive, const std::string& name, std::size_t count, double most) {
    double value = static_cast<double>(count);
    archive.numbers(name, &value, 1);
    return Reader::whole(value, most, name);
}

constexpr std::size_t line_numbers = 13;
constexpr std::size_t most_features = 100000;  // of the views; two generations of 95 columns and 66 pairs have 32,616

template <class Archive>
void lines(Archive& archive, const std::string& name, Lines& of) {
    const std::size_t count = counted(archive, name, of.size(), 1e10);
    archive.expect(name, count * line_numbers);
    of.resize(std::max<std::size_t>(count, 1));
    for (Line& line : of) {
        double values[line_numbers];
        float floats[line_numbers];
        std::memcpy(floats, &line, sizeof floats);
        std::copy(floats, floats + line_numbers, values);
        archive.numbers(name, values, line_numbers);
        for (std::size_t i = 0; i < line_numbers; ++i) floats[i] = archive.narrowed(name, values[i]);
        std::memcpy(static_cast<void*>(&line), floats, sizeof floats);
        Reader::whole(static_cast<double>(line.seat), seat_count - 1, name);
    }
}

template <class Archive>
void filter(Archive& archive, const std::string& name, Newton& of, std::size_t seats) {
    if (seats == 0) return;
    of.weights.resize(seat_count);
    of.covariance.resize(seat_count * seat_count);
    const std::size_t waits = counted(archive, name, of.waits(), Newton::most_waiting - 1.0);
    of.waiting.resize(waits * Newton::entry);
    archive.numbers(name, of.waiting.data(), of.waiting.size());
    archive.numbers(name, of.weights.data(), seats);
    for (std::size_t i = 0; i < seats; ++i) archive.numbers(name, of.row(i), seats);
}

template <class Archive>
std::size_t seating(Archive& archive, const std::string& name, Seats& of) {
    plain(archive, name, of);
    return Reader::whole(of.taken, seat_count, name);
}

void check_seats(const Lines& of, std::size_t seats, const std::string& name) {
    for (const Line& line : of)
        if (line.seat > 0.0f && static_cast<std::size_t>(line.seat) >= seats)
            throw Unfit("'" + name + "' names a seat that is not taken");
}

// A whole number from 0 to `most`, kept as a double.
template <class Archive>
void whole(Archive& archive, const std::string& name, std::size_t& of, std::size_t most) {
    of = counted(archive, name, of, static_cast<double>(most));
}

// Files of version 0.1 do not say: both narrow views are learned.
template <class Archive>
void resting(Archive& archive, Binning& of) {
    const std::string name = "views.rounds";
    if (!archive.goes_on(name)) return;
    const double latest = of.rounds >= last_judgement ? pairs_view : raw_view;
    of.resting = static_cast<View>(counted(archive, name, of.resting, latest));
}

template <class Archive>
void binning(Archive& archive, Binning& of) {
    archive.numbers("views.rounds", &of.rounds, 1);
    resting(archive, of);
    whole(archive, "views.features", of.features, most_features);
    for (auto& sample : of.samples) archive.list("views.samples", sample);
    of.scales.resize(counted(archive, "views.scales", of.scales.size(), Binning::most_scales));
    for (Scale& scale : of.scales) {
        // Each once its generation was due.
        double values[3] = {static_cast<double>(scale.generation), static_cast<double>(scale.seat),
                            static_cast<double>(scale.first)};
        archive.numbers("views.scales", values, 3);
        archive.list("views.cuts", scale.cuts);
        double last = -std::numeric_limits<double>::infinity();
        for (const double cut : scale.cuts)
            if (!(cut > std::exchange(last, cut))) throw Unfit("the numbers in 'views.cuts' do not increase");
        const double due = static_cast<double>(Binning::generations_by(of.rounds)) - 1.0;
        const double most_first = static_cast<double>(of.features) - static_cast<double>(scale.cuts.size());
        scale.generation = Reader::whole(values[0], due, "views.scales");
        scale.seat = Reader::whole(values[1], seat_count - 1, "views.scales");
        scale.first = static_cast<std::ptrdiff_t>(Reader::whole(values[2] + 1.0, most_first, "views.scales")) - 1;
        if (scale.in_pairs() && scale.bins() > CellCounts::most_bins)
            throw Unfit("'views.cuts' has more cells than a pair");
    }
    of.pairings.resize(counted(archive, "views.pairings", of.pairings.size(), 1e3));
    for (Pairing& pair : of.pairings) {
        for (std::size_t* scale : {&pair.left, &pair.right}) whole(archive, "views.pairings", *scale, of.scales.size());
        whole(archive, "views.pairings", pair.first, of.features);
        if (std::max(pair.left, pair.right) >= of.scales.size()) throw Unfit("'views.pairings' names no scale");
        const Scale &left = of.scales[pair.left], &right = of.scales[pair.right];
        if (left.seat == right.seat) throw Unfit("'views.pairings' pairs a column with itself");
        Reader::whole(static_cast<double>(pair.first + left.bins() * right.bins()), static_cast<double>(of.features),
                      "views.pairings");
    }
}

// `check` is told every outcome.
template <class Archive, class Check>
void past(Archive& archive, Past& of, double rounds, Check check) {
    const std::string name = "views.past";
    of.rounds.resize(counted(archive, name, of.size(), std::min(rounds, last_renewal)));
    std::size_t end = 0;
    for (Past::Round& round : of.rounds) {
        const std::size_t count = counted(archive, name, std::max(round.end, end) - end, seat_count);
        archive.numbers(name, &round.outcome, 1);
        archive.numbers(name, &round.weight, 1);
        check(round.outcome);
        round.end = end + count;
        of.entries.resize(std::max(of.entries.size(), round.end));
        std::array<bool, seat_count> there{};
        for (std::size_t k = end; k < round.end; ++k) {
            Seated& at = of.entries[k];
            at.entry = static_cast<std::uint32_t>(k - end);
            at.seat = static_cast<std::uint32_t>(counted(archive, name, at.seat, seat_count - 1.0));
            archive.numbers(name, &at.value, 1);
            if (!seatable(at.value) || (k == end) != (at.seat == 0) || std::exchange(there[at.seat], true))
                throw Unfit("'" + name + "' has a row that no run has");
        }
        if (!(round.weight > 0.0) || count == 0) throw Unfit("'" + name + "' has a row that no run has");
        end = round.end;
    }
}

template <class Archive>
void one_view(Archive& archive, const std::string& view, ViewPool& of) {
    const std::size_t classes = counted(archive, view + ".classes", of.classes.size(), 1e6);
    if (classes == 0) throw Unfit("there are no classes");
    archive.expect(view + ".totals", 4 * classes);
    of.classes.resize(classes);
    archive.numbers(view + ".features", &of.features, 1);
    const std::size_t seats = seating(archive, view + ".seats", of.seats);
    for (Binary& binary : of.classes) {
        lines(archive, view + ".lines", binary.lines);
        filter(archive, view + ".filters", binary.newton, seats);
        plain(archive, view + ".calibrations", binary.calibrations);
        for (MemberStack& stack : binary.stacks) plain(archive, view + ".stacks", stack);
        plain(archive, view + ".masters", binary.master);
        plain(archive, view + ".markov", binary.markov);
        Reader::whole(binary.markov.context, 7.0, view + ".markov");
        archive.numbers(view + ".totals", binary.rows, 2);
        archive.numbers(view + ".totals", binary.masses, 2);
        plain(archive, view + ".losses", binary.losses);
        archive.numbers(view + ".mistakes", binary.mistakes, expert_count);
        if (binary.lines.size() != of.classes[0].lines.size()) throw Unfit("the classes differ in their features");
    }
    check_seats(of.classes[0].lines, seats, view + ".lines");
}

const char* const view_names[view_count] = {"raw", "bins", "pairs"};

template <class Archive>
void describe(Archive& archive, Pool& pool) {
    archive.numbers("members", pool.options.members.data(), member_count);
    for (const double part : pool.options.members) Reader::whole(part, 1.0, "members");
    for (std::size_t view = 0; view < view_count; ++view) one_view(archive, view_names[view], pool.views[view]);
    binning(archive, pool.binning);
    const std::size_t count = pool.views[raw_view].classes.size();
    past(archive, pool.past, pool.binning.rounds, [&](double outcome) {
        Reader::whole(outcome, static_cast<double>(std::max<std::size_t>(count, 2)) - 1.0, "views.past");
    });
    for (const ViewPool& view : pool.views)
        if (view.classes.size() != count) throw Unfit("the views differ in their classes");
    pool.blends.resize(count);
    for (Blend& blend : pool.blends) {
        for (ViewStack& stack : blend.stacks) plain(archive, "blend.stacks", stack);
        plain(archive, "blend.masters", blend.master);
        plain(archive, "blend.losses", blend.losses);
        plain(archive, "blend.frequencies", blend.frequency);
    }
}

template <class Archive>
void target_view(Archive& archive, const std::string& view, TargetView& of) {
    const std::size_t seats = seating(archive, view + ".seats", of.seats);
    lines(archive, view + ".lines", of.lines);
    check_seats(of.lines, seats, view + ".lines");
    for (Ridge& ridge_of : of.ridges) filter(archive, view + ".filters", ridge_of.newton, seats);
    plain(archive, view + ".mixture", of.mixture);
    double values[] = {of.rounds, of.range.lowest, of.range.highest, of.adagrad_error, of.capped_error};
    archive.numbers(view + ".totals", values, 5);
    of.rounds = values[0], of.range.lowest = values[1], of.range.highest = values[2];
    of.adagrad_error = values[3], of.capped_error = values[4];
    Reader::whole(of.rounds, 1e15, view + ".totals");
    archive.numbers(view + ".recent", of.recent, TargetView::recent_count);
}

template <class Archive>
void describe(Archive& archive, TargetPool& pool) {
    for (std::size_t view = 0; view < view_count; ++view) target_view(archive, view_names[view], pool.views[view]);
    binning(archive, pool.binning);
    past(archive, pool.past, pool.binning.rounds, [](double) {});
    plain(archive, "blend.mixture", pool.mixture);
}

template <class Of>
Parts written(const Of& pool) {
    Writer writer;
    Of copy = pool;
    describe(writer, copy);
    return std::move(writer.parts);
}

template <class Of>
Of reread(const Parts& parts) {
    Of pool;
    Reader reader(parts);
    describe(reader, pool);
    reader.finish();
    return pool;
}

}  // namespace

Parts parts_of(const Pool& pool) { return written(pool); }
Parts parts_of(const TargetPool& pool) { return written(pool); }
Pool pool_of(const Parts& parts) { return reread<Pool>(parts); }
TargetPool target_pool_of(const Parts& parts) { return reread<TargetPool>(parts); }

}  // namespace littlestone::pool
