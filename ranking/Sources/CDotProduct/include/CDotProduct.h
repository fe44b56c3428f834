// Dot products of vectors of int8 and float32, and the two updates of a matrix that factorisation is made of.
//
// Every path gives the same bits. int8: sums are exact in 32 bits for up to 65,536 numbers. float32: sixteen partial sums,
// number i is added to sum i % 16, products are rounded before they are added (no fused multiply-add), and the sums are
// added in pairs at last. So a model is the same on every machine, and a snapshot of one serves another.
#ifndef CLIPFEED_DOT_PRODUCT_H
#define CLIPFEED_DOT_PRODUCT_H

#include <stdint.h>

enum dot_path { DOT_PLAIN = 0, DOT_AVX2 = 1, DOT_AVX512VNNI = 2, DOT_NEON = 3 };

/// Whether this processor has the path; 1 or 0.
int32_t dot_path_is_supported(int32_t path);

/// The fastest path of this processor.
int32_t dot_best_path(void);

/// The product of `query` with each of `rows` rows of `count` numbers, one behind the other.
void dot_int8_rows(int32_t path, const int8_t *query, const int8_t *matrix, int64_t rows, int64_t count, int32_t *out);

/// The first of `rows` products, from `from` on, that is at least `bound` when it is multiplied by its scale; `rows` if
/// there is none.
int64_t dot_int32_next(
    int32_t path, const int32_t *products, const float *scales, int64_t from, int64_t rows, float bound);

/// The product of two vectors of `count` numbers.
float dot_float32(int32_t path, const float *left, const float *right, int64_t count);

/// The product of `query` with each of `rows` rows of `count` numbers, one behind the other.
void dot_float32_rows(int32_t path, const float *query, const float *matrix, int64_t rows, int64_t count, float *out);

/// Adds `weight` times `vector` to `sum`.
void dot_float32_add_scaled(int32_t path, const float *vector, float weight, int64_t count, float *sum);

/// Adds `weight` times the outer product of `vector` with itself to the upper triangle of a square `matrix`. What lies
/// below the diagonal is undefined afterwards.
void dot_float32_add_outer(int32_t path, const float *vector, float weight, int64_t count, float *matrix);

/// Asks for so many bytes from `start` on, which are read soon. Changes nothing.
static inline void dot_prefetch(const void *start, int64_t bytes) {
    for (int64_t at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)start + at);
}

#endif
