/// What is said of each provider that `generation-providers` names.
extension Setting {
  /// Draws by ffmpeg alone.
  public static let drawnProvider = "drawn"
  /// Nobody makes any.
  public static let noProvider = "none"
  /// What a provider can be asked as: the servers of one dialect, vendors, a program.
  private static let kinds = [
    "openai", "azure", "vllm-omni", "sglang", "litellm", "veo", "runway", "command",
  ]

  public struct OfVideoProvider: Sendable {
    public let kind, address, key, model, seconds, atOnce, hosts, webhookSecret: Setting
    public let command, commandFiles, commandConfined, commandPictures, commandSeconds, commandMb: Setting

    public var all: [Setting] {
      [kind, address, key, model, seconds, atOnce, hosts, webhookSecret] + ofCommand
    }

    /// Those that mean something for a program alone.
    public var ofCommand: [Setting] {
      [command, commandFiles, commandConfined, commandPictures, commandSeconds, commandMb]
    }
  }

  public static func ofVideoProvider(_ id: String) -> OfVideoProvider {
    func setting(
      _ end: String, form: Form = .text, standard: String? = nil, isSecret: Bool = false, _ summary: String,
      _ advice: String = ""
    ) -> Setting {
      Setting(
        "\(SettingFamily.videoProviders.prefix)\(id)-\(end)", .generation, form, standard: standard,
        isSecret: isSecret, hasOption: false, summary, advice: advice)
    }
    return OfVideoProvider(
      kind: setting(
        "kind", form: .choice(kinds), "How it is spoken to",
        "The first five are servers of OpenAI's video dialect, which read it a little differently each. veo is Google's, by "
          + "the Gemini API. command is a program on this machine."),
      address: setting(
        "address", "Where it is",
        "What client libraries call the base URL, such as https://videos.example.org/v1; it may be in your own network. veo "
          + "and runway have theirs without it."),
      key: setting("key", isSecret: true, "Its key for you", "It goes to that address alone."),
      model: setting(
        "model", "The model that it is asked for", "Without it the one that it takes by itself."),
      seconds: setting(
        "seconds", "The lengths that it makes, in seconds, ascending, with spaces between",
        "Without them those that are usual there, such as \"4 8 12\"."),
      atOnce: setting(
        "at-once", form: .number(1...1000), "How many it works on for you at the same time",
        "Further ones wait here. Without it what is usual there."),
      hosts: setting(
        "hosts", "Hosts beside its own that a video may be fetched from, with spaces between",
        "With a full stop in front: and all below it. What an answer names is fetched from no other."),
      webhookSecret: setting(
        "webhook-secret", isSecret: true, "By what its webhooks are signed",
        "whsec_ and base64, or any text. With it the provider may say at /api/v1/generation-webhooks/ and its name that a video "
          + "is there, which is fetched sooner then."),
      command: setting(
        "command", "The program and its arguments",
        "It reads what is wanted from its standard input and writes video.mp4 into its folder; docs/design/video-providers.md "
          + "has the details."),
      commandFiles: setting(
        "command-files", "Files and folders that the program may read, with spaces between",
        "Such as its models."
      ),
      commandConfined: setting(
        "command-confined", form: .choice(["on", "off"]), standard: "on",
        "Whether the program is shut in as ffmpeg is",
        "Off, it has the network and sees what Clipfeed's user sees."),
      commandPictures: setting(
        "command-pictures", form: .choice(["on", "off"]), standard: "off",
        "Whether the program can start from a picture"),
      commandSeconds: setting(
        "command-seconds", form: .number(1...86_400), standard: "900",
        "Seconds the program may take for a video"
      ),
      commandMb: setting(
        "command-mb", form: .number(1...1_048_576), standard: "8192", "Megabytes of memory it may take"))
  }
}
