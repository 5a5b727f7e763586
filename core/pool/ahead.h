// The full covariance learns from rows and labels alone, whatever the other members say: a stretch of rows ahead of
// them.
#pragma once

#include <atomic>
#include <thread>

#include "binary.h"
#include "stretch.h"

namespace littlestone::pool {

// What the filters of a pool say of the rows of a stretch, a few rows at a time: by a second thread, or by the one that
// asks where it comes first. Whoever does them, they are done in the order of the rows, so that the bits are the same.
class Ahead {
  public:
    ~Ahead() { join(); }

    Stretch stretch;

    // Takes the filters and seats, with all the room that there is need of; a second thread begins.
    void begin(Seats& seats, std::vector<Binary>& classes);
    // Waits for row t, or does it.
    void reach(std::size_t t);
    // What the filter of a class says of a row that was reached.
    void tell(std::size_t t, std::size_t c, Reading& reading) const;
    // Once the last row was reached: seats and filters, which have learned it, go back.
    void end(Seats& seats, std::vector<Binary>& classes);

  private:
    static constexpr std::size_t at_once = 32;  // rows, between two looks at who else is at work

    struct alignas(64) Filter {
        Newton newton;
        Newton::Reading reading;
    };
    struct Said {
        double score, awake;
    };
    Seats seats_;
    std::vector<Filter> filters_;  // by class
    std::vector<Seated> seated_;
    std::vector<Said> said_;   // of every row, by class
    std::size_t reached_ = 0;  // rows that the thread that asks knows to be done
    Apart apart_;
    std::atomic<std::size_t> done_ = 0;
    std::atomic<bool> busy_ = false;
    std::thread second_;

    bool advance();
    void learn(std::size_t t);
    void help();
    void join();
};

}  // namespace littlestone::pool
