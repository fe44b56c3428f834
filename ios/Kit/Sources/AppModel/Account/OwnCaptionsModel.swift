public import Contract
public import Foundation
public import Observation

/// The captions of one's own clip: which there are, a file that adds some, and taking some away. A file and
/// its language stay chosen until the server has them.
///
/// It refuses to know what is in a file: the server reads it, and says what is wrong with it.
@MainActor @Observable public final class OwnCaptionsModel {
  /// `language` as on the wire; `file` holds the file's name.
  public enum Field: String, CaseIterable, Sendable { case language, file }

  /// What such files are called behind the dot.
  public nonisolated static let endings = ["vtt", "srt"]

  /// As the web client offers them, besides those of the person.
  private static let offered = [
    "en", "es", "pt", "fr", "de", "it", "nl", "pl", "tr", "ru", "uk", "ar", "he", "fa", "hi", "bn", "id",
    "vi", "th", "zh-Hans", "zh-Hant", "ja", "ko",
  ]

  /// The upload of the clip whose captions are shown; `nil`: none are.
  public private(set) var upload: String?
  /// `nil`: they are not there yet.
  public private(set) var tracks: [CaptionTrack]?
  /// They could not be loaded.
  public private(set) var failure: Sentence?
  public let form = FormState<Field>()
  /// The language whose captions are on their way out.
  public private(set) var removing: String?
  /// What can be chosen: the person's own first, the rest by their names.
  public private(set) var languages: [String] = []

  /// What `form` names.
  private var file: Data?
  @ObservationIgnored private let client: Client
  @ObservationIgnored private let ofDevice: () -> [String]
  @ObservationIgnored var say: (Sentence) -> Void = { _ in }
  /// Answers for another clip are none.
  @ObservationIgnored private var beginning = 0

  /// `ofDevice`: the device's languages, the best first.
  init(client: Client, ofDevice: @escaping () -> [String] = { Locale.preferredLanguages }) {
    self.client = client
    self.ofDevice = ofDevice
  }

  public func begin(upload: String) {
    guard self.upload == nil else { return }
    end()
    self.upload = upload
    languages = Self.languages(of: ofDevice())
    form[.language] = languages.first ?? ""
  }

  /// What is on its way arrives all the same.
  public func end() {
    beginning += 1
    upload = nil
    tracks = nil
    file = nil
    (failure, removing) = (nil, nil)
    form.clear()
  }

  public func load() async {
    guard let upload else { return }
    let begun = beginning
    failure = nil
    do {
      let answer = try await client.captions(ofUpload: upload).items
      if begun == beginning { tracks = answer }
    } catch {
      if begun == beginning, !Sentence.isSilent(error) { failure = Sentence(for: error) }
    }
  }

  public func name(of language: String) -> String { CaptionPreferences.name(of: language, in: .current) }

  // MARK: Adding

  /// Reads the file, which may be another app's and there for this call alone.
  public func choose(_ url: URL) async {
    let begun = beginning
    let read = await Self.read(url)
    guard begun == beginning else { return }
    switch read {
    case .success(let data):
      form[.file] = url.lastPathComponent
      file = data
    case .failure(let fault): form.fail(fault.sentence, at: .file)
    }
  }

  /// Sends the file that was chosen.
  public func add() async {
    guard let upload, removing == nil else { return }
    let (begun, language, data) = (beginning, form[.language], file ?? Data())
    let type = form[.file].lowercased().hasSuffix(".srt") ? "application/x-subrip" : "text/vtt"
    var track: CaptionTrack?
    let isAdded = await form.submit {
      do {
        track = try await client.putCaptions(data, type: type, language: language, ofUpload: upload)
      } catch var problem as Problem {
        if Self.isOfFile(problem) { problem.field = Field.file.rawValue }
        throw problem
      }
    }
    guard isAdded, let track else { return }
    say(Sentence("%@ added.", track.label))
    guard begun == beginning else { return }
    file = nil
    form[.language] = language
    tracks = (tracks ?? []).filter { $0.language != track.language } + [track]
  }

  private static func isOfFile(_ problem: Problem) -> Bool {
    let codes = [ErrorCode.captionsUnreadable, .captionsEmpty, .captionsTooLarge]
    return codes.contains { $0.rawValue == problem.code }
  }

  // MARK: Removing

  public func remove(_ track: CaptionTrack) async {
    guard let upload, removing == nil, !form.isBusy else { return }
    let begun = beginning
    removing = track.language
    do {
      try await client.removeCaptions(language: track.language, ofUpload: upload)
    } catch let problem as Problem where problem.code == ErrorCode.captionsNotFound.rawValue {
      // They are gone already.
    } catch {
      if begun == beginning { removing = nil }
      if !Sentence.isSilent(error) { say(Sentence(for: error)) }
      return
    }
    say(Sentence("%@ removed.", track.label))
    guard begun == beginning else { return }
    removing = nil
    tracks?.removeAll { $0.language == track.language }
  }

  // MARK: Languages and files

  static func languages(of device: [String], in locale: Locale = .current) -> [String] {
    let sorted = offered.map { (language: $0, name: CaptionPreferences.name(of: $0, in: locale)) }
      .sorted { $0.name.compare($1.name, locale: locale) == .orderedAscending }
    var known: Set<String> = []
    return (device.map(CaptionPreferences.withoutRegion) + sorted.map(\.language)).filter {
      !$0.isEmpty && known.insert($0.lowercased()).inserted
    }
  }

  /// No more than one byte too many is read.
  @concurrent private static func read(_ url: URL) async -> Result<Data, FieldFault<Field>> {
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      let data = try handle.read(upToCount: Limits.captionsBytes + 1) ?? Data()
      guard data.count <= Limits.captionsBytes else {
        return .failure(FieldFault(field: .file, sentence: Sentence(ErrorCode.captionsTooLarge.message)))
      }
      return .success(data)
    } catch {
      return .failure(FieldFault(field: .file, sentence: "The file could not be read. Choose it again."))
    }
  }
}
