// Probabilities of any rule: its scores times a slope that is learned on the way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "experts/exp.h"
#include "ledger.h"

namespace littlestone {

// One slope a for all classes: p ~ exp(a z), z the distances of the scores from the largest, in units of how far the
// largest leads the others on average. It is the on-line filter of logistic regression without a constant, whose
// variance returns to its prior; of two labels, whose scores are 0 and s, that of the members of the pool. The order of
// the classes is that of their scores, for the slope is never below 0.
struct Calibration {
    static constexpr double first_slope = 1.0, first_variance = 0.3, memory = 1000.0;

    double *slope, *variance;
    double *lead, *leads;  // by how much the largest score leads on average, and how many rounds tell of it
    double* learns;        // 0 once rows come that were learned before: of them nothing can be learned

    // What one row says.
    struct Reading {
        double lead, leads;
        std::size_t top;
        double gradient = 0.0, curvature = 0.0;  // of the log-likelihood of what came, in the slope

        double distance(const double* scores, std::size_t k) const {
            return lead > 0.0 ? std::max((scores[k] - scores[top]) / lead, -20.0) : 0.0;
        }
    };

    // The probabilities of the classes, one or more. Nothing changes.
    Reading read(const double* scores, std::size_t count, double* chances) const {
        const Reading now = measured(scores, count);
        double total = 0.0;
        for (std::size_t k = 0; k < count; ++k) {
            chances[k] = exp_of(std::max(*slope * now.distance(scores, k), -12.0));
            total += chances[k];
        }
        for (std::size_t k = 0; k < count; ++k) chances[k] /= total;
        return now;
    }

    // The same, and what is to be learned once the truth has come.
    Reading foretell(const double* scores, std::size_t count, std::size_t truth, double* chances) const {
        Reading now = read(scores, count, chances);
        double mean = 0.0, squares = 0.0, farthest = 0.0;
        for (std::size_t k = 0; k < count; ++k) {
            const double z = now.distance(scores, k);
            mean += chances[k] * z;
            squares += chances[k] * z * z;
            farthest = std::max(farthest, -z);
        }
        now.gradient = now.distance(scores, truth) - mean;
        now.curvature = std::max(squares - mean * mean, 1e-5 * farthest * farthest);
        return now;
    }

    void learn(const Reading& now, double weight) const {
        if (weight == 0.0) return;
        *lead = now.lead;
        *leads = now.leads;
        if (*learns == 0.0) return;
        const double c = 1.0 / (1.0 + weight * now.curvature * *variance);
        *slope = std::max(0.0, *slope + weight * *variance * now.gradient * c);
        *variance = 0.999 * *variance * c + 0.001 * first_variance;
    }

  private:
    // How far the largest score leads, this row taken in.
    Reading measured(const double* scores, std::size_t count) const {
        Reading now{*lead, *leads, 0};
        for (std::size_t k = 1; k < count; ++k)
            if (scores[k] > scores[now.top]) now.top = k;
        double ahead = 0.0;
        for (std::size_t k = 0; k < count; ++k) ahead += scores[now.top] - scores[k];
        ahead /= static_cast<double>(std::max<std::size_t>(count, 2) - 1);
        if (ahead < 1e300) {
            now.leads = std::min(*leads + 1.0, memory);
            now.lead += (ahead - *lead) / now.leads;
        }
        return now;
    }
};

// A calibration in the rounds of a loop: it foretells before the rule learns, and learns after it.
class Foreteller {
  public:
    explicit Foreteller(Calibration calibration) : calibration_(calibration) {}

    // Room for so many classes; a round that was cut off leaves nothing to be learned.
    void begin(std::size_t classes) {
        if (classes > chances_.size()) chances_.resize(classes);
        told_ = false;
    }
    // The label of two whose scores are 0 and the one there is; of outcomes that are no labels nothing is said.
    void foretell(Trial& trial) {
        if (trial.label == 0) return;
        const double scores[] = {0.0, trial.score};
        foretell(scores, 2, trial.label > 0 ? 1 : 0, trial);
        trial.brier /= 2.0;  // the distance of one of the two
    }
    // A class among those that there is room for.
    void foretell(const double* scores, std::size_t count, std::size_t truth, Trial& trial) {
        now_ = calibration_.foretell(scores, count, truth, chances_.data());
        told_ = true;
        trial.chance = chances_[truth];
        trial.brier = 0.0;
        for (std::size_t k = 0; k < count; ++k) {
            const double away = chances_[k] - (k == truth ? 1.0 : 0.0);
            trial.brier += away * away;
        }
    }
    void learn(double weight) {
        if (told_) calibration_.learn(now_, weight);
        told_ = false;
    }

  private:
    Calibration calibration_;
    Calibration::Reading now_{};
    bool told_ = false;
    std::vector<double> chances_ = std::vector<double>(2);
};

}  // namespace littlestone
