internal import Foundation

/// The regularised incomplete beta function: how likely a rate of which Beta(α, β) is believed is below x.
/// By its continued fraction (Abramowitz and Stegun 26.5.8, evaluated after Lentz).
func incompleteBeta(_ x: Double, _ alpha: Double, _ beta: Double) -> Double {
  let a = alpha.bounded(1e-3...1e9)
  let b = beta.bounded(1e-3...1e9)
  guard x > 0 else { return 0 }
  guard x < 1 else { return 1 }
  // The fraction converges fast on this side of the mean; the other is its complement.
  guard x <= (a + 1) / (a + b + 2) else { return 1 - incompleteBeta(1 - x, b, a) }
  let logarithm: Double = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)
  let front: Double = exp(logarithm) / a
  var c = 1.0
  var d = 1 / guarded(1 - (a + b) * x / (a + 1))
  var fraction = d
  for step in 1...300 {
    let m = Double(step)
    let bend: Double = a + 2 * m
    let even: Double = m * (b - m) * x / ((bend - 1) * bend)
    d = 1 / guarded(1 + even * d)
    c = guarded(1 + even / c)
    fraction *= d * c
    let odd: Double = -(a + m) * (a + b + m) * x / (bend * (bend + 1))
    d = 1 / guarded(1 + odd * d)
    c = guarded(1 + odd / c)
    fraction *= d * c
    if abs(d * c - 1) < 1e-10 { break }
  }
  return (front * fraction).bounded(0...1)
}

private func guarded(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
