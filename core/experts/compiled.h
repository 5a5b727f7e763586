// What the loop of the expert protocol asks of a rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../dense.h"
#include "loss.h"
#include "vectors.h"

namespace littlestone {

// Who is awake in a round: 1 or 0 for each expert.
struct Awake {
    const std::uint8_t* flag;
    std::size_t count;  // how many are
    bool all;
};

// A round for the rules that read the advice themselves.
struct AdviceRound {
    const Awake& awake;
    const double* advice;  // 0 for whoever sleeps; the losses, where these are all there is
    const double* losses;  // 0 for whoever sleeps
    double y;
    const Loss& loss;
    bool gradient;
};

class CompiledExperts {
  public:
    explicit CompiledExperts(std::size_t experts) : count(experts) {}
    virtual ~CompiledExperts() = default;

    // The distribution of this round, 0 for whoever sleeps.
    virtual void weights(const Awake& awake, double* p) const = 0;
    // Moves the state: the losses of all experts and the learner's own loss.
    virtual void advance(const double* losses, double own) = 0;
    // Whether the rule reads the round itself; then learn moves the state, and advance is never asked.
    virtual bool reads() const { return false; }
    virtual void learn(const AdviceRound&) {}
    // The losses so far in a new unit.
    virtual void rescale(double) {}
    // What is said: the weighted majority of labels, 1 on a tie, or the weighted mean.
    virtual double predict(const Awake&, const double* p, const double* advice, const Loss& loss) const {
        return loss.labels() ? majority(p, advice) : dense::dot(advice, p, count);
    }
    // What an expert that sleeps is charged.
    virtual double asleep(double own) const { return own; }

    const std::size_t count;

  protected:
    double majority(const double* p, const double* advice) const {
        double one = 0.0, zero = 0.0;
        for (std::size_t i = 0; i < count; ++i) (advice[i] == 1.0 ? one : zero) += p[i];
        return one >= zero * (1.0 - 1e-12) ? 1.0 : 0.0;  // p adds up to 1: a tie is one up to its roundings
    }
    void sleep(const Awake& awake, double* p, double value) const {
        if (awake.all) return;
        for (std::size_t i = 0; i < count; ++i)
            if (!awake.flag[i]) p[i] = value;
    }
    // p holds scores; it becomes the distribution in proportion to exp(score) among those awake.
    void softmax(const Awake& awake, double* p) const { softmax(awake, p, vectors::largest(p, count)); }
    // The same where the largest score of all is known already.
    void softmax(const Awake& awake, double* p, double top) const {
        sleep(awake, p, -infinity);
        if (!awake.all) top = vectors::largest(p, count);
        vectors::scale(p, 1.0 / vectors::exponentials(p, top, count), count);
    }
    // p holds weights; it becomes the distribution in proportion to them among those awake, uniform if all are 0.
    void proportional(const Awake& awake, double* p) const {
        sleep(awake, p, 0.0);
        const double top = vectors::largest(p, count);
        if (!(top > 0.0)) {
            for (std::size_t i = 0; i < count; ++i) p[i] = awake.all || awake.flag[i] ? 1.0 : 0.0;
            vectors::scale(p, 1.0 / static_cast<double>(awake.count), count);
            return;
        }
        // By the largest first: the sum of large weights could overflow.
        for (std::size_t i = 0; i < count; ++i) p[i] /= top;
        vectors::scale(p, 1.0 / vectors::sum(p, count), count);
    }
};

// A rule whose update is made of the advice and the outcome, not of losses alone.
class CompiledAdvice : public CompiledExperts {
  public:
    using CompiledExperts::CompiledExperts;
    bool reads() const final { return true; }
    void advance(const double*, double) final {}
    void learn(const AdviceRound& round) override = 0;
};

}  // namespace littlestone
