/// Settings of what an operator lists by names of their own, such as the providers of `sign-in`. There are as
/// many as they like, so the keys are made of the names: a file stays a list of lines, and everything can be
/// said by the environment alone.
public struct SettingFamily: Sendable {
  /// The setting that lists the names.
  public let list: Setting
  let prefix: String
  /// Stands for all names in the manual.
  let example: String
  /// What can be listed and has no settings.
  public let builtIn: Set<String>
  /// All settings of one name.
  public let settings: @Sendable (_ id: String) -> [Setting]

  public static let signIn = SettingFamily(
    list: .signIn, prefix: "sign-in-", example: "corp", builtIn: [], settings: { Setting.ofProvider($0).all })
  public static let videoProviders = SettingFamily(
    list: .generationProviders, prefix: "generation-provider-", example: "mine",
    builtIn: [Setting.drawnProvider, Setting.noProvider], settings: { Setting.ofVideoProvider($0).all })

  public static let all = [signIn, videoProviders]

  public static func canName(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// The names in the list's value.
  public static func names(in value: String?) -> [String] {
    (value ?? "").split { $0 == " " || $0 == "," }.map(String.init)
  }

  /// The settings of all that the list's value names.
  public func settings(ofListed value: String?) -> [Setting] {
    Self.names(in: value).filter { Self.canName($0) && !builtIn.contains($0) }.flatMap(settings)
  }

  /// The id in a setting's name; nil: it is none of this family.
  public func id(in name: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    let id = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false).first
    return id.map(String.init).flatMap { Self.canName($0) ? $0 : nil }
  }
}

extension Setting {
  /// Whatever can be said: the setting of this name; nil if there is none.
  static func named(_ name: String) -> Setting? { candidates(for: name).first { $0.name == name } }

  /// Those among which this name could be.
  static func candidates(for name: String) -> [Setting] {
    all + SettingFamily.all.flatMap { family in family.id(in: name).map(family.settings) ?? [] }
  }

  /// The setting that a variable of the environment says; nil if there is none.
  static func of(variable: String) -> Setting? {
    guard variable.hasPrefix("CLIPFEED_") else { return nil }
    return named(variable.dropFirst("CLIPFEED_".count).lowercased().replacing("_", with: "-"))
  }

  /// All, as the manual shows them: with one name of each family for the others.
  public static var explained: [Setting] {
    all.flatMap { setting in
      [setting]
        + (SettingFamily.all.first { $0.list == setting }.map { $0.settings($0.example) } ?? [])
    }
  }
}
