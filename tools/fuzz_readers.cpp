// Feeds the parsers with bytes that nobody meant, under the sanitizers: `make fuzz`. With clang it can also be linked
// with libFuzzer (-fsanitize=fuzzer -DLITTLESTONE_LIBFUZZER).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "../core/checksum.h"
#include "../core/readers/cache.h"
#include "../core/readers/readers.h"

using namespace littlestone::readers;

namespace {

void check(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void check_chunk(const Chunk& chunk) {
    check(chunk.start.size() == chunk.rows() + 1, "an offset per row");
    check(static_cast<std::size_t>(chunk.start[chunk.rows()]) == chunk.index.size(), "the last offset is the end");
    for (std::size_t k = 0; k < chunk.index.size(); ++k)
        check(chunk.index[k] >= 0 && static_cast<std::size_t>(chunk.index[k]) < chunk.width, "an index in range");
}

template <class Parse>
void both(Parse parse) {
    for (const bool skips : {false, true}) {
        Chunk chunk;
        parse(skips, chunk);
        check_chunk(chunk);
    }
}

// The text as the payload of a record whose checksum is right, as one who forges a cache would write it.
void parse_forged(std::string_view text) {
    const std::uint64_t head[] = {text.size(), littlestone::Checksum::of(text)};
    std::string record(reinterpret_cast<const char*>(head), sizeof head);
    record += text;
    for (const bool named : {false, true})
        for (const std::string_view bytes : {std::string_view(record), text}) {
            check(whole_cache_records(bytes) <= bytes.size(), "records end inside the text");
            Chunk chunk;
            parse_cache(bytes, named, chunk);
            if (chunk.malformed.empty()) check_chunk(chunk);
        }
}

void parse_all(std::string_view text) {
    parse_forged(text);
    const Table table{
        ',', true, {"a", "b", "c", "y"}, {Column::feature, Column::category, Column::weight, Column::label}};
    const Table tabs{'\t', false, {"a", "y"}, {Column::feature, Column::label}};
    const Keys keys{"y", "w", {"i"}};
    for (const Hasher& hasher : {Hasher{}, Hasher{5, Hashing::strings, true}, Hasher{30, Hashing::all, false}}) {
        both([&](bool skips, Chunk& chunk) { parse_svmlight(text, hasher, skips, chunk); });
        both([&](bool skips, Chunk& chunk) { parse_csv(text, table, hasher, skips, chunk); });
        both([&](bool skips, Chunk& chunk) { parse_csv(text, tabs, hasher, skips, chunk); });
        both([&](bool skips, Chunk& chunk) { parse_json(text, keys, hasher, skips, chunk); });
        if (hasher.bits) both([&](bool skips, Chunk& chunk) { parse_vowpal(text, hasher, skips, chunk); });
    }
    check(whole_records(text, table) <= text.size(), "records end inside the text");
    check(first_record(text, table).second <= text.size(), "a record ends inside the text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // A copy of exactly this size, so that the sanitizer sees a read of the byte behind it.
    const std::vector<char> exact(data, data + size);
    parse_all({exact.data(), exact.size()});
    return 0;
}

#ifndef LITTLESTONE_LIBFUZZER
namespace {

// The payload of a record: what a parser has made of a text.
template <class Parse>
std::string payload(std::string_view text, Parse parse) {
    Chunk chunk;
    parse(text, chunk);
    return cache_record(chunk).substr(2 * sizeof(std::uint64_t));
}

const std::vector<std::string> seeds = {
    payload("1 1:2 5:3\n-1 2:1\n", [](auto text, Chunk& chunk) { parse_svmlight(text, {}, true, chunk); }),
    payload("{\"a\":1,\"b\":\"c\",\"y\":\"p\",\"w\":2}\n{\"a\":3}\n",
            [](auto text, Chunk& chunk) { parse_json(text, {"y", "w", {}}, {}, true, chunk); }),
    "1 1:0.0628773 2:0.0427625 3:0.169749 14:-0.0346004 5555:12.25 77777:1 88888:-3 99999999:0.00000001 100000000:1\n",
    "-1 1:0.5 2:0.25 3:0.125 4:10.5 55:0.1 666:0.01 7777:0.001 88888:1.0001 9:0.75 10:0.5 11:0.0 12:0.1234567 13:0.5\n",
    "1 | 1:0.5 2:0.25 3:0.125 4:10.5 55:0.1 666:0.01 7777:0.001 88888:1.0001 9:0.75 10:0.5 11:0.0 12:0.1234567 "
    "13:0.5\n",
    "+1 1:0.5 3:-2e-3 # note\n-1 qid:4 2:1 70000:1e5\n\n0.25\n1 9:1 5:2\n",
    "1 2.5 'tag |a:0.5 b:3 c d:-1e2 |e f:word 17:2 | :1 :2\n-1 | x\n\n|f g h\nspam 1|z y\n",
    "1,\"a \"\"b\"\"\",2,yes\n,x,,no\r\n-3.5e2,\"two\nlines\",1,1\n5,6,7,8\n",
    "{\"a\":1,\"b\":{\"c\":[1,true,\"x\"]},\"y\":\"p\",\"w\":2}\n{\"t\":\"\\u00e9\\ud83d\\ude00\\n\",\"y\":-1}\n{}\n",
};
const std::vector<std::string> pieces = {"\n",
                                         "\r\n",
                                         " ",
                                         ":",
                                         "|",
                                         "'",
                                         "\"",
                                         "\\u",
                                         "{",
                                         "}",
                                         "[",
                                         ",",
                                         "\t",
                                         "\xff",
                                         "e",
                                         "-",
                                         ".",
                                         "99999999999999999999",
                                         "1e308",
                                         "1e-400",
                                         "nan",
                                         "#",
                                         "000000000000000000000000000000",
                                         "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                                         "\xef\xbb\xbf"};

std::string mutated(std::string text, std::mt19937_64& chance) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(chance() % n); };
    for (std::size_t changes = 1 + below(8); changes > 0; --changes) {
        const std::size_t at = below(text.size() + 1);
        switch (below(5)) {
            case 0:
                if (at < text.size()) text[at] = static_cast<char>(chance());
                break;
            case 1:
                text.erase(at, 1 + below(9));
                break;
            case 2:
                text.insert(at, pieces[below(pieces.size())]);
                break;
            case 3:
                text.insert(at, text.substr(at, 1 + below(30)));
                break;
            default:
                text.resize(at);
        }
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    const long rounds = argc > 1 ? std::atol(argv[1]) : 100000;
    std::mt19937_64 chance(argc > 2 ? static_cast<std::uint64_t>(std::atol(argv[2])) : 1);
    for (long round = 0; round < rounds; ++round) {
        const std::string text = mutated(seeds[chance() % seeds.size()], chance);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    }
    std::printf("%ld inputs, nothing found\n", rounds);
}
#endif
