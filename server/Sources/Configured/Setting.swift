/// One setting of an instance. Its name is that of the option (`--name`), of the key in the configuration
/// file, and, in capitals with underscores, of the environment variable.
///
/// The room knows names, forms and sources of settings. What a setting does is for whoever reads it.
public struct Setting: Sendable, Hashable {
  public enum Form: Sendable, Hashable {
    case text
    case number(ClosedRange<Int>)
    case choice([String])
  }

  public enum Section: String, Sendable, CaseIterable {
    case instance = "The instance"
    case database = "PostgreSQL instead of SQLite"
    case guests = "Guests"
    case writing = "What people write"
    case mail = "Messages to people"
    case signIn = "Signing in by others"
    case apps = "Apps of Apple's systems"
    case browsers = "Notifications to browsers"
    case webhooks = "Webhooks"
    case uploads = "Uploads"
    case captions = "Captions"
    case generation = "Clips from words"
    case bucket = "Media in an S3 bucket"
    case cache = "A cache that several servers share"
    case experiments = "Trying what people are shown"
    case ranking = "A model of your own for what to watch next"
    case observing = "Seeing what happens"
  }

  public let name: String
  public let section: Section
  public let form: Form
  /// What counts if nobody says anything; nil: nothing, which is a choice of its own.
  public let standard: String?
  /// Read from environment and file alone, since every program on a machine can read the options of all
  /// others, and shown to nobody.
  public let isSecret: Bool
  /// Whether commands take it on their line.
  public let hasOption: Bool
  /// One sentence without its full stop.
  public let summary: String
  /// What to weigh before changing it; whole sentences.
  public let advice: String

  init(
    _ name: String, _ section: Section, _ form: Form, standard: String? = nil, isSecret: Bool = false,
    hasOption: Bool = true, _ summary: String, advice: String = ""
  ) {
    self.name = name
    self.section = section
    self.form = form
    self.standard = standard
    self.isSecret = isSecret
    self.hasOption = hasOption && !isSecret
    self.summary = summary
    self.advice = advice
  }

  public var variable: String { "CLIPFEED_" + name.replacing("-", with: "_").uppercased() }

  /// How a person would say where to set it.
  public var places: String { hasOption ? "--\(name) (or \(variable))" : variable }

  /// For the help of a command, which says once where else settings can be made.
  public var help: String { "\(summary)." + (standard.map { " (default: \($0))" } ?? "") }

  /// What a value must look like, as the end of a sentence that begins with the setting's name.
  public var demand: String {
    switch form {
    case .text: "must be text of one line"
    case .number(let range): "must be a number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let values): "must be \(values.formattedAsChoice)"
    }
  }

  func accepts(_ value: String) -> Bool {
    switch form {
    case .text: !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
    // Without a sign, as settings are read.
    case .number(let range):
      value.utf8.allSatisfy { (48...57).contains($0) } && Int(value).map(range.contains) ?? false
    case .choice(let values): values.contains(value)
    }
  }
}

extension [String] {
  /// `a, b or c`.
  fileprivate var formattedAsChoice: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
  }
}
