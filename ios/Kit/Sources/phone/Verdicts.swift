/// What was compared, and how much of it differs.
@MainActor final class Verdicts {
  private(set) var different = 0

  func say(_ what: String, _ isRight: Bool, _ detail: String = "") {
    if !isRight { different += 1 }
    print("\(what): \(isRight ? "the same" : "DIFFERENT")\(detail.isEmpty ? "" : ", \(detail)")")
  }
}
