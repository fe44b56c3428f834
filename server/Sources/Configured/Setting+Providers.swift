/// What is said of each provider that `sign-in` names. There are as many as an operator likes, so their keys
/// are made of their names: a file stays a list of lines, and everything can be said by the environment
/// alone.
extension Setting {
  private static let prefix = "sign-in-"
  /// Stands for all in the manual.
  private static let example = "corp"

  public struct OfProvider: Sendable {
    public let issuer, client, secret, name, apps, inner, appleTeam, appleKeyID, appleKeyFile: Setting

    public var all: [Setting] {
      [issuer, client, secret, name, apps, inner, appleTeam, appleKeyID, appleKeyFile]
    }
  }

  public static func canNameProvider(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
  }

  public static func ofProvider(_ id: String) -> OfProvider {
    func setting(
      _ end: String, form: Form = .text, standard: String? = nil, isSecret: Bool = false, _ summary: String,
      _ advice: String = ""
    ) -> Setting {
      Setting(
        prefix + id + "-" + end, .signIn, form, standard: standard, isSecret: isSecret, hasOption: false,
        summary,
        advice: advice)
    }
    return OfProvider(
      issuer: setting(
        "issuer", "The address of the issuer",
        "Such as https://accounts.google.com; below it lies /.well-known/openid-configuration. Apple's without it, where an "
          + "apple-team is said. What was connected belongs to the issuer, not to the name that you chose."),
      client: setting("client-id", "What the provider calls this instance", "At Apple the Services ID."),
      secret: setting(
        "client-secret", isSecret: true, "What it gave with that",
        "Without it the client is a public one; not for Apple, which takes a key."),
      name: setting(
        "name", "What stands on the button behind Sign in with", "Without it the name chosen above."),
      apps: setting(
        "apps", "Clients of the same provider whose identity tokens count as well, with spaces between",
        "At Apple the bundle ids of your apps."),
      inner: setting(
        "inner", form: .choice(["on", "off"]), standard: "off",
        "Whether the provider may be in an inner network, or on this machine",
        "Off, addresses that only you can reach are not asked, wherever the provider's documents and names lead; on, they "
          + "are, so be sure of the provider. An issuer that is written as localhost may be on this machine anyway."
      ),
      appleTeam: setting("apple-team", "The Team ID at Apple", "It makes the provider Apple."),
      appleKeyID: setting("apple-key-id", "The id of the key at Apple"),
      appleKeyFile: setting(
        "apple-key-file", "The .p8 file of that key",
        "Only the user that runs Clipfeed should be able to read it."))
  }

  /// Whatever can be said: the setting of this name; nil if there is none.
  static func named(_ name: String) -> Setting? { candidates(for: name).first { $0.name == name } }

  /// Those among which this name could be.
  static func candidates(for name: String) -> [Setting] {
    guard name.hasPrefix(prefix),
      let id = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false).first,
      canNameProvider(String(id))
    else { return all }
    return all + ofProvider(String(id)).all
  }

  /// The id in the setting's name, if it is one of a provider.
  public var provider: String? {
    guard name.hasPrefix(Self.prefix) else { return nil }
    return name.dropFirst(Self.prefix.count).split(separator: "-").first.map(String.init)
  }

  /// All, as the manual shows them: with one provider for the others.
  public static var explained: [Setting] {
    all.flatMap { $0 == signIn ? [$0] + ofProvider(example).all : [$0] }
  }

  static func isSecretOfProvider(_ variable: String) -> Bool {
    variable.hasPrefix(signIn.variable + "_") && variable.hasSuffix("_CLIENT_SECRET")
  }
}
