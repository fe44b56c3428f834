internal import ArgumentParser
internal import Configured
internal import FFmpeg
internal import Foundation
internal import Generation
internal import Platform
internal import VideoProviders

/// What is said of one that `generation-providers` lists. Most of it is not for a command line, and how many
/// there are is the operator's choice, so none of it is an option.
enum VideoProviderSetting {
  case drawn
  case openAI(OpenAIVideosSettings)
  case veo(VeoSettings)
  case runway(RunwaySettings)
  case command(name: String, CommandVideoProvider.Settings)

  /// Throws `ValidationError` for what is not said, or cannot be.
  static func all(of list: String?) throws -> [VideoProviderSetting] {
    let family = SettingFamily.videoProviders
    let ids = try family.listed(list)
    guard !ids.contains(Setting.noProvider) || ids.count == 1 else {
      throw ValidationError("\(family.list.places): \(Setting.noProvider) stands alone.")
    }
    return try ids.filter { $0 != Setting.noProvider }.map {
      $0 == Setting.drawnProvider ? .drawn : try read($0)
    }
  }

  /// `folder`: what programs of this machine keep their work in. Nil: ffmpeg is to draw, and is not there;
  /// whoever serves without it converts nothing either.
  func make(folder: URL) throws -> (any VideoProvider)? {
    func place(_ name: String) -> URL { folder.appendingPathComponent(name, isDirectory: true) }
    return switch self {
    case .drawn: try? DrawnVideoProvider(name: Setting.drawnProvider, folder: place(Setting.drawnProvider))
    case .openAI(let settings): OpenAIVideosProvider(settings)
    case .veo(let settings): VeoProvider(settings)
    case .runway(let settings): RunwayProvider(settings)
    case .command(let name, let settings):
      try CommandVideoProvider(name: name, settings, folder: place(name))
    }
  }

  /// By what webhooks of those that are listed are signed, by name. Throws `ValidationError`.
  static func webhookKeys(of list: String?) throws -> [String: WebhookKey] {
    var keys: [String: WebhookKey] = [:]
    for id in try SettingFamily.videoProviders.listed(list)
    where !SettingFamily.videoProviders.builtIn.contains(id) {
      let setting = Setting.ofVideoProvider(id).webhookSecret
      guard let secret = try setting.value() else { continue }
      guard let key = WebhookKey(secret) else {
        throw ValidationError("\(setting.name) must be whsec_ and base64, or text without that start.")
      }
      keys[id] = key
    }
    return keys
  }

  private static func read(_ id: String) throws -> VideoProviderSetting {
    let of = Setting.ofVideoProvider(id)
    let kind = try of.kind.demanded(by: .generationProviders)
    if kind == "command" { return try command(id, of) }
    for setting in of.ofCommand where try setting.value() != setting.standard {
      throw ValidationError("\(setting.name) needs \(of.kind.name) command.")
    }
    let key = try of.key.value().map { text in
      guard let key = ProviderKey(text) else {
        throw ValidationError("\(of.key.name) has signs that no key has, or none.")
      }
      return key
    }
    let address = try of.address.value()
    let (model, seconds) = (try of.model.value(), try lengths(of.seconds))
    let atOnce = try of.atOnce.value().flatMap { SafeInteger.read($0) }
    let hosts = SettingFamily.names(in: try of.hosts.value())
    switch kind {
    case "veo":
      let place = address ?? VeoSettings.usualAddress
      guard var settings = VeoSettings(name: id, address: place, key: try demanded(key, of)) else {
        throw noAddress(of)
      }
      settings.model = model ?? settings.model
      settings.seconds = seconds ?? settings.seconds
      settings.concurrent = atOnce ?? settings.concurrent
      settings.hosts += hosts
      return .veo(settings)
    case "runway":
      let place = address ?? RunwaySettings.usualAddress
      guard var settings = RunwaySettings(name: id, address: place, key: try demanded(key, of)) else {
        throw noAddress(of)
      }
      settings.model = model ?? settings.model
      settings.seconds = seconds ?? settings.seconds
      settings.concurrent = atOnce ?? settings.concurrent
      settings.hosts += hosts
      return .runway(settings)
    default:
      let address = try of.address.demanded(by: of.kind)
      guard
        var settings = OpenAIVideosSettings(
          name: id, server: .init(rawValue: kind) ?? .openAI, address: address, key: key, model: model)
      else { throw noAddress(of) }
      settings.seconds = seconds ?? settings.seconds
      settings.concurrent = atOnce ?? settings.concurrent
      settings.hosts += hosts
      return .openAI(settings)
    }
  }

  private static func command(_ id: String, _ of: Setting.OfVideoProvider) throws -> VideoProviderSetting {
    for setting in [of.address, of.key, of.model, of.hosts, of.webhookSecret]
    where try setting.value() != nil {
      throw ValidationError("\(setting.name) is not for a command.")
    }
    guard let words = CommandLineWords.split(try of.command.demanded(by: of.kind)), !words.isEmpty else {
      throw ValidationError("\(of.command.name) has a quotation mark that does not end.")
    }
    var settings = CommandVideoProvider.Settings(command: words)
    settings.files = SettingFamily.names(in: try of.commandFiles.value()).map { URL(fileURLWithPath: $0) }
    settings.isConfined = try of.commandConfined.value() != "off"
    settings.takesPictures = try of.commandPictures.value() == "on"
    settings.wallSeconds =
      try of.commandSeconds.value().flatMap { SafeInteger.read($0) } ?? settings.wallSeconds
    settings.memoryMegabytes =
      try of.commandMb.value().flatMap { SafeInteger.read($0) } ?? settings.memoryMegabytes
    settings.seconds = try lengths(of.seconds) ?? settings.seconds
    settings.concurrent = try of.atOnce.value().flatMap { SafeInteger.read($0) } ?? settings.concurrent
    return .command(name: id, settings)
  }

  /// Nil: nothing is said.
  private static func lengths(_ setting: Setting) throws -> [Int]? {
    guard let text = try setting.value() else { return nil }
    let words = SettingFamily.names(in: text)
    let lengths = words.compactMap { SafeInteger.read($0) }.filter((1...60).contains)
    guard lengths.count == words.count, !lengths.isEmpty, zip(lengths, lengths.dropFirst()).allSatisfy(<)
    else {
      throw ValidationError("\(setting.name) must be seconds from 1 to 60, ascending, such as 4 8 12.")
    }
    return lengths
  }

  private static func demanded(_ key: ProviderKey?, _ of: Setting.OfVideoProvider) throws -> ProviderKey {
    guard let key else {
      throw ValidationError("\(of.kind.name) needs \(of.key.name) (or \(of.key.variable)).")
    }
    return key
  }

  private static func noAddress(_ of: Setting.OfVideoProvider) -> ValidationError {
    ValidationError(
      "\(of.address.name) must be an address that begins with https:// or http://, without a question mark.")
  }
}
