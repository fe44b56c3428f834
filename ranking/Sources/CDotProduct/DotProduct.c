#include "CDotProduct.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define FOR_AVX2 __attribute__((target("avx2")))
#define FOR_VNNI __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

// Products are rounded before they are added, on every machine.
#pragma STDC FP_CONTRACT OFF

#define LANES 16

// MARK: What a path begins in blocks is ended here, number by number.

static int32_t int8_rest(const int8_t *left, const int8_t *right, int64_t from, int64_t count) {
  int32_t sum = 0;
  for (int64_t i = from; i < count; i++) sum += (int32_t)left[i] * right[i];
  return sum;
}

static float float32_rest(const float *left, const float *right, int64_t from, int64_t count, float *lanes) {
  for (int64_t i = from; i < count; i++) lanes[i % LANES] += left[i] * right[i];
  for (int width = LANES / 2; width > 0; width /= 2)
    for (int i = 0; i < width; i++) lanes[i] += lanes[i + width];
  return lanes[0];
}

static void add_scaled_rest(const float *vector, float weight, int64_t from, int64_t count, float *sum) {
  for (int64_t i = from; i < count; i++) sum[i] += weight * vector[i];
}

static int64_t int32_next_rest(
    const int32_t *products, const float *scales, int64_t from, int64_t rows, float bound) {
  while (from < rows && !((float)products[from] * scales[from] >= bound)) from++;
  return from;
}

// MARK: Plain

static float float32_plain(const float *left, const float *right, int64_t count) {
  float lanes[LANES] = {0};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int lane = 0; lane < LANES; lane++) lanes[lane] += left[i + lane] * right[i + lane];
  return float32_rest(left, right, i, count, lanes);
}

#if defined(__x86_64__)

// MARK: AVX2

FOR_AVX2 static int32_t int8_avx2(const int8_t *left, const int8_t *right, int64_t count) {
  __m256i sums = _mm256_setzero_si256();
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __m256i a = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(left + i)));
    __m256i b = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(right + i)));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(a, b));
  }
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  return _mm_cvtsi128_si32(half) + int8_rest(left, right, i, count);
}

FOR_AVX2 static void int8_rows_avx2(
    const int8_t *query, const int8_t *matrix, int64_t rows, int64_t count, int32_t *out) {
  for (int64_t row = 0; row < rows; row++) out[row] = int8_avx2(query, matrix + row * count, count);
}

FOR_AVX2 static float float32_avx2(const float *left, const float *right, int64_t count) {
  __m256 low = _mm256_setzero_ps(), high = _mm256_setzero_ps();
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES) {
    low = _mm256_add_ps(low, _mm256_mul_ps(_mm256_loadu_ps(left + i), _mm256_loadu_ps(right + i)));
    high = _mm256_add_ps(high, _mm256_mul_ps(_mm256_loadu_ps(left + i + 8), _mm256_loadu_ps(right + i + 8)));
  }
  float lanes[LANES];
  _mm256_storeu_ps(lanes, low);
  _mm256_storeu_ps(lanes + 8, high);
  return float32_rest(left, right, i, count, lanes);
}

FOR_AVX2 static void add_scaled_avx2(const float *vector, float weight, int64_t count, float *sum) {
  __m256 weights = _mm256_set1_ps(weight);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256 product = _mm256_mul_ps(weights, _mm256_loadu_ps(vector + i));
    _mm256_storeu_ps(sum + i, _mm256_add_ps(_mm256_loadu_ps(sum + i), product));
  }
  add_scaled_rest(vector, weight, i, count, sum);
}

FOR_AVX2 static int64_t int32_next_avx2(
    const int32_t *products, const float *scales, int64_t from, int64_t rows, float bound) {
  __m256 bounds = _mm256_set1_ps(bound);
  for (; from + 8 <= rows; from += 8) {
    __m256 numbers = _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)(products + from)));
    __m256 scaled = _mm256_mul_ps(numbers, _mm256_loadu_ps(scales + from));
    int mask = _mm256_movemask_ps(_mm256_cmp_ps(scaled, bounds, _CMP_GE_OQ));
    if (mask) return from + __builtin_ctz((unsigned)mask);
  }
  return int32_next_rest(products, scales, from, rows, bound);
}

// MARK: AVX-512 VNNI

// The instruction multiplies bytes without a sign by bytes with one. So 128 is added to every number of the row, and 128
// times the query's sum taken off again.
FOR_VNNI static void int8_rows_vnni(
    const int8_t *query, const int8_t *matrix, int64_t rows, int64_t count, int32_t *out) {
  int64_t whole = count / 64 * 64;
  int32_t offset = 0;
  for (int64_t i = 0; i < whole; i++) offset += query[i];
  const __m512i flip = _mm512_set1_epi8((char)0x80);
  for (int64_t row = 0; row < rows; row++) {
    const int8_t *numbers = matrix + row * count;
    __m512i sums = _mm512_setzero_si512();
    for (int64_t i = 0; i < whole; i += 64) {
      __m512i shifted = _mm512_xor_si512(_mm512_loadu_si512(numbers + i), flip);
      sums = _mm512_dpbusd_epi32(sums, shifted, _mm512_loadu_si512(query + i));
    }
    out[row] = _mm512_reduce_add_epi32(sums) - 128 * offset + int8_rest(query, numbers, whole, count);
  }
}

#elif defined(__ARM_NEON)

// MARK: NEON

static int32_t int8_neon(const int8_t *left, const int8_t *right, int64_t count) {
  int32x4_t sums = vdupq_n_s32(0);
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) sums = vpadalq_s16(sums, vmull_s8(vld1_s8(left + i), vld1_s8(right + i)));
  return vaddvq_s32(sums) + int8_rest(left, right, i, count);
}

static float float32_neon(const float *left, const float *right, int64_t count) {
  float32x4_t sums[4] = {vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0)};
  int64_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int part = 0; part < 4; part++)
      sums[part] = vaddq_f32(
          sums[part], vmulq_f32(vld1q_f32(left + i + part * 4), vld1q_f32(right + i + part * 4)));
  float lanes[LANES];
  for (int part = 0; part < 4; part++) vst1q_f32(lanes + part * 4, sums[part]);
  return float32_rest(left, right, i, count, lanes);
}

static int64_t int32_next_neon(
    const int32_t *products, const float *scales, int64_t from, int64_t rows, float bound) {
  float32x4_t bounds = vdupq_n_f32(bound);
  for (; from + 4 <= rows; from += 4) {
    float32x4_t scaled = vmulq_f32(vcvtq_f32_s32(vld1q_s32(products + from)), vld1q_f32(scales + from));
    if (vmaxvq_u32(vcgeq_f32(scaled, bounds))) break;
  }
  return int32_next_rest(products, scales, from, rows, bound);
}

static void add_scaled_neon(const float *vector, float weight, int64_t count, float *sum) {
  float32x4_t weights = vdupq_n_f32(weight);
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    vst1q_f32(sum + i, vaddq_f32(vld1q_f32(sum + i), vmulq_f32(weights, vld1q_f32(vector + i))));
  add_scaled_rest(vector, weight, i, count, sum);
}

#endif

// MARK: Which path

int32_t dot_path_is_supported(int32_t path) {
  switch (path) {
    case DOT_PLAIN: return 1;
#if defined(__x86_64__)
    case DOT_AVX2: return __builtin_cpu_supports("avx2") != 0;
    case DOT_AVX512VNNI:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512vnni");
#elif defined(__ARM_NEON)
    case DOT_NEON: return 1;
#endif
    default: return 0;
  }
}

int32_t dot_best_path(void) {
  for (int32_t path = DOT_NEON; path > DOT_PLAIN; path--)
    if (dot_path_is_supported(path)) return path;
  return DOT_PLAIN;
}

void dot_int8_rows(
    int32_t path, const int8_t *query, const int8_t *matrix, int64_t rows, int64_t count, int32_t *out) {
#if defined(__x86_64__)
  if (path == DOT_AVX512VNNI) return int8_rows_vnni(query, matrix, rows, count, out);
  if (path == DOT_AVX2) return int8_rows_avx2(query, matrix, rows, count, out);
#elif defined(__ARM_NEON)
  if (path == DOT_NEON) {
    for (int64_t row = 0; row < rows; row++) out[row] = int8_neon(query, matrix + row * count, count);
    return;
  }
#endif
  for (int64_t row = 0; row < rows; row++) out[row] = int8_rest(query, matrix + row * count, 0, count);
}

int64_t dot_int32_next(
    int32_t path, const int32_t *products, const float *scales, int64_t from, int64_t rows, float bound) {
#if defined(__x86_64__)
  if (path == DOT_AVX512VNNI || path == DOT_AVX2) return int32_next_avx2(products, scales, from, rows, bound);
#elif defined(__ARM_NEON)
  if (path == DOT_NEON) return int32_next_neon(products, scales, from, rows, bound);
#endif
  return int32_next_rest(products, scales, from, rows, bound);
}

float dot_float32(int32_t path, const float *left, const float *right, int64_t count) {
#if defined(__x86_64__)
  if (path == DOT_AVX512VNNI || path == DOT_AVX2) return float32_avx2(left, right, count);
#elif defined(__ARM_NEON)
  if (path == DOT_NEON) return float32_neon(left, right, count);
#endif
  return float32_plain(left, right, count);
}

void dot_float32_rows(
    int32_t path, const float *query, const float *matrix, int64_t rows, int64_t count, float *out) {
  for (int64_t row = 0; row < rows; row++) out[row] = dot_float32(path, query, matrix + row * count, count);
}

void dot_float32_add_scaled(int32_t path, const float *vector, float weight, int64_t count, float *sum) {
#if defined(__x86_64__)
  if (path == DOT_AVX512VNNI || path == DOT_AVX2) return add_scaled_avx2(vector, weight, count, sum);
#elif defined(__ARM_NEON)
  if (path == DOT_NEON) return add_scaled_neon(vector, weight, count, sum);
#endif
  add_scaled_rest(vector, weight, 0, count, sum);
}

void dot_float32_add_outer(int32_t path, const float *vector, float weight, int64_t count, float *matrix) {
  for (int64_t row = 0; row < count; row++) {
    // From a whole block on: what is below the diagonal is nobody's.
    int64_t from = row / 8 * 8;
    dot_float32_add_scaled(path, vector + from, weight * vector[row], count - from, matrix + row * count + from);
  }
}
