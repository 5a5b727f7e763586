// Compiles a function for several instruction sets and chooses at run time; without contraction all give the same bits.
// Not with clang, whose older releases leave the chosen function without the name that other files call it by.
#pragma once

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(LITTLESTONE_PLAIN)
#define LITTLESTONE_CLONES __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define LITTLESTONE_CLONES
#endif
#define LITTLESTONE_INLINE inline __attribute__((always_inline))
