// A zero-sum game as the loops see it: the two products of its payoff matrix A with mixed strategies.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace littlestone::games {

using Actions = std::vector<std::size_t>;

class Payoffs {
  public:
    virtual ~Payoffs() = default;
    virtual std::size_t rows() const = 0;
    virtual std::size_t columns() const = 0;
    virtual void times(const double* q, double* Aq) const = 0;
    virtual void transposed_times(const double* p, double* pA) const = 0;
    // The same in play, where a copy may round the strategy first: what it multiplied is left in its place.
    virtual void played(double* q, double* Aq) const { times(q, Aq); }
    virtual void transposed_played(double* p, double* pA) const { transposed_times(p, pA); }
    // The game between some of the actions; nothing where it is not worth its making.
    virtual std::unique_ptr<Payoffs> part(const Actions&, const Actions&) const { return nullptr; }
};

// The game of the transposed matrix: what makes column-major arrays as fast as row-major ones.
class Transposed final : public Payoffs {
  public:
    explicit Transposed(const Payoffs& of) : of_(of) {}
    std::size_t rows() const override { return of_.columns(); }
    std::size_t columns() const override { return of_.rows(); }
    void times(const double* q, double* Aq) const override { of_.transposed_times(q, Aq); }
    void transposed_times(const double* p, double* pA) const override { of_.times(p, pA); }

  private:
    const Payoffs& of_;
};

}  // namespace littlestone::games
