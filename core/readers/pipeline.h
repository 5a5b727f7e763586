// A file read and parsed by threads ahead of whoever asks for its chunks; they come in the order of the file.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "../buffer.h"
#include "parser.h"

namespace littlestone::readers {

class Pipeline {
  public:
    struct Limits {
        std::size_t chunk;   // bytes of text a chunk, but for the first ones, which are shorter so that they come soon
        std::size_t ahead;   // bytes of text that may be read before their chunks are taken
        std::size_t record;  // bytes of the longest record
        unsigned workers;
    };
    enum class State { ready, pending, ended, failed, too_long };
    struct Answer {
        State state;
        std::unique_ptr<Chunk> chunk;
        int error = 0;  // of the system, where reading has failed
    };

    // Reads from the place where the descriptor is, which stays the caller's.
    Pipeline(int descriptor, Parser parser, Limits limits);
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    // The next chunk if it comes within a moment.
    Answer next();
    // Ends the threads; a chunk that is being parsed is finished first.
    void close();
    std::size_t longest() const { return limits_.record; }

  private:
    struct Piece {
        std::size_t number, size;
        Buffer<char> text;
    };
    struct Parsed {
        std::unique_ptr<Chunk> chunk;
        std::size_t size;
    };

    void work(unsigned number);
    bool make_one();
    void wait_for_demand();
    std::unique_ptr<Piece> next_piece();
    bool fill(Piece& piece, std::size_t more);
    void stop(State state, std::size_t pieces, int error);
    // How much may be read ahead; more as long as nobody asks, who is then busy with something else, so that whoever
    // learns finds a part of the file done.
    std::size_t allowed() const { return asked_ ? limits_.ahead : std::max(limits_.ahead, head_start); }

    static constexpr std::size_t head_start = std::size_t{1} << 25;  // bytes of text

    const int descriptor_;
    const Parser parser_;
    const Limits limits_;

    std::mutex reading_;  // held while a piece is read: pieces follow one another
    Buffer<char> rest_;   // of the last piece, behind its last whole record
    bool at_end_ = false;
    std::size_t size_ = std::size_t{1} << 16, pieces_ = 0;

    std::mutex lock_;  // of all that follows
    std::condition_variable taken_, made_;
    std::map<std::size_t, Parsed> ready_;
    std::size_t wanted_ = 0, ahead_ = 0;
    std::size_t known_pieces_ = ~std::size_t{0};  // once the end was seen
    State state_ = State::pending;                // ended, failed or too_long once reading has stopped
    int error_ = 0;
    bool closing_ = false, asked_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace littlestone::readers
