internal import Contract
public import Observation

/// A form: what was typed, what is wrong with each field, and whether it is being sent. What was typed stays
/// until it was taken. Fields are called as on the wire, so that the server's word on one is shown beside it.
///
/// It refuses to know what is sent and what is allowed.
@MainActor @Observable public final class FormState<Field>
where Field: RawRepresentable<String> & Hashable & Sendable & CaseIterable {
  /// More scalars than any field takes are not sent.
  private static var mostScalars: Int { 8000 }

  private var values: [Field: String]
  public private(set) var faults: [Field: Sentence] = [:]
  /// What is wrong with no one field.
  public private(set) var failure: Sentence?
  public private(set) var isBusy = false
  /// The field that the person is to be brought to.
  public var focus: Field?
  /// Something else stands in a field than before.
  @ObservationIgnored var onChanged: (() -> Void)?

  private let optional: Set<Field>

  public init(optional: Set<Field> = [], _ values: [Field: String] = [:]) {
    self.optional = optional
    self.values = values
  }

  public subscript(field: Field) -> String {
    get { values[field] ?? "" }
    set {
      guard newValue != self[field] else { return }
      values[field] = newValue
      faults[field] = nil
      onChanged?()
    }
  }

  public func isOptional(_ field: Field) -> Bool { optional.contains(field) }

  /// Without what lies around it; `nil` if there is nothing.
  public func trimmed(_ field: Field) -> String? {
    let scalars = self[field].unicodeScalars.prefix(Self.mostScalars)
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return nil }
    return String(String.UnicodeScalarView(scalars[first...last]))
  }

  /// Sends it by `work`, unless something is missing or it is on its way already. `fields`: those that are
  /// shown. Whether it was taken; then what was typed is forgotten.
  @discardableResult
  public func submit(_ fields: [Field] = Array(Field.allCases), _ work: () async throws -> Void) async -> Bool
  {
    guard !isBusy else { return false }
    faults = [:]
    failure = nil
    for field in fields where !optional.contains(field) && trimmed(field) == nil {
      faults[field] = "Please fill this in."
    }
    focus = fields.first { faults[$0] != nil }
    guard faults.isEmpty else { return false }
    isBusy = true
    defer { isBusy = false }
    do {
      try await work()
      values = [:]
      return true
    } catch {
      refuse(error, fields)
      return false
    }
  }

  /// `nil`: what was wrong is not any more.
  public func fail(_ sentence: Sentence?) { failure = sentence }

  /// Something is wrong with this field before anything was sent.
  func fail(_ sentence: Sentence, at field: Field) { faults[field] = sentence }

  /// Somebody has done with it.
  func clear() {
    values = [:]
    faults = [:]
    failure = nil
    focus = nil
  }

  private func refuse(_ error: any Error, _ fields: [Field]) {
    if Sentence.isSilent(error) { return }
    let sentence = Sentence(for: error)
    let name = (error as? Problem)?.field ?? (error as? FieldFault<Field>)?.field.rawValue
    guard let field = fields.first(where: { $0.rawValue == name }) else {
      failure = sentence
      return
    }
    faults[field] = sentence
    focus = field
  }
}

/// What this device itself finds wrong with a field.
struct FieldFault<Field: Sendable>: SaysWhy {
  let field: Field
  let sentence: Sentence
}
