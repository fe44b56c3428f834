/// What is said of each provider that `sign-in` names.
extension Setting {
  public struct OfProvider: Sendable {
    public let issuer, client, secret, name, apps, inner, appleTeam, appleKeyID, appleKeyFile: Setting

    public var all: [Setting] {
      [issuer, client, secret, name, apps, inner, appleTeam, appleKeyID, appleKeyFile]
    }
  }

  public static func ofProvider(_ id: String) -> OfProvider {
    func setting(
      _ end: String, form: Form = .text, standard: String? = nil, isSecret: Bool = false, _ summary: String,
      _ advice: String = ""
    ) -> Setting {
      Setting(
        "\(SettingFamily.signIn.prefix)\(id)-\(end)", .signIn, form, standard: standard, isSecret: isSecret,
        hasOption: false, summary, advice: advice)
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
}
