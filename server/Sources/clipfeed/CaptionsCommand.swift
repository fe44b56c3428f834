internal import ArgumentParser
internal import Captions
internal import Composition
internal import Contract
internal import Foundation
internal import Options
internal import Platform

struct CaptionsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "captions", abstract: "Shows the captions of a clip, adds a file of them, or removes some.",
    discussion: "Files are WebVTT or SubRip. Without FILE it lists what is there.")

  @Argument(help: "The clip's id.")
  var clip: String
  @Argument(help: "The file with the captions.")
  var file: String?
  @Option(help: "Their language as BCP 47, such as en, pt-BR or zh-Hant.")
  var language: String?
  @Option(help: "What they are called; without it, the language's own name.")
  var label: String?
  @Flag(help: "Removes the captions of this language.")
  var remove = false
  @Flag(help: "Has the captioner of a running server make them, unless a person has.")
  var make = false
  @OptionGroup var options: DataOptions

  func validate() throws {
    guard [remove, make, file != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("Name a file, or say --remove or --make.")
    }
    guard remove || file != nil || language == nil else {
      throw ValidationError("--language needs a file, or --remove.")
    }
    guard !(remove || file != nil) || language.map({ LanguageTag($0) != nil }) == true else {
      throw ValidationError("--language must be a tag such as en, pt-BR or zh-Hant.")
    }
  }

  func run() async throws {
    let instance = try await options.open()
    let captions = instance.captions
    if let file, let language {
      let track = try await captions.put(
        try Self.content(of: file), to: clip, language: language, label: label)
      Console.say("added  \(Self.line(track))")
    } else if remove, let language {
      try await captions.remove(language, of: clip)
      Console.say("removed  \(LanguageTag(language)?.description ?? language)")
    } else {
      let tracks = try await captions.list(of: clip)
      if make {
        try await instance.requestCaptions(of: clip)
        return Console.say("queued  for a server that was started with --captioner")
      }
      if tracks.isEmpty { Console.say("The clip has no captions.") }
      for track in tracks { Console.say(Self.line(track)) }
      return
    }
    // Or players of playlists would see it only once a server runs.
    try await instance.remakeCaptionPlaylists()
  }

  /// Throws `not_a_file`, `file_unreadable` and `captions_too_large`.
  static func content(of file: String) throws -> [UInt8] {
    guard let status = FileStatus(of: file), status.kind == .file else { throw AppError(.notAFile) }
    guard status.size <= Limits.captionsBytes else { throw AppError(.captionsTooLarge) }
    guard let data = FileManager.default.contents(atPath: file) else { throw AppError(.fileUnreadable) }
    return [UInt8](data)
  }

  private static func line(_ track: CaptionTrack) -> String {
    "\(track.language)  \(Console.printable(track.label))  \(track.automatic ? "automatic  " : "")\(track.url)"
  }
}
