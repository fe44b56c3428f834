internal import Contract
public import Transfer
internal import Upload

/// What stands in an upload's way, for a person: what it is, and what to do about it.
public struct UploadTrouble: Equatable, Sendable {
  public let title: Sentence
  public let advice: Sentence

  private init(_ title: Sentence, _ advice: Sentence) {
    self.title = title
    self.advice = advice
  }

  /// `nil`: nothing does.
  public init?(_ state: UploadState) {
    switch state.phase {
    case .findingFile: self = Self.waiting(for: state)
    case .published where state.hasUntoldDetails: self = Self.untold(state)
    case .failed, .refused:
      let known =
        state.code.flatMap(Self.of) ?? Self.later(state.screen.reason, state.retryAfterSeconds)
        ?? Self.of(state.screen.reason)
      self = known ?? Self.other(state)
    default: return nil
    }
  }

  private static func waiting(for state: UploadState) -> UploadTrouble {
    state.isOtherFile
      ? UploadTrouble(
        "That’s another file",
        Sentence("What has arrived belongs to “%@”. Choose that file, or cancel.", state.name))
      : UploadTrouble(
        "An upload is waiting",
        Sentence("Choose “%@” again, and it goes on where it stopped.", state.name))
  }

  private static func untold(_ state: UploadState) -> UploadTrouble {
    let again: Sentence = "Choose “Edit” and save them again."
    let detail = state.problem?.detail ?? ""
    return UploadTrouble(
      "Your last changes aren’t saved",
      detail.isEmpty ? again : Sentence("%1$@ %2$@", [.key(detail), .sentence(again)]))
  }

  private static func other(_ state: UploadState) -> UploadTrouble {
    let detail = state.problem?.detail ?? ""
    return UploadTrouble(
      "That didn’t work",
      detail.isEmpty ? "The server refused it without saying why." : Sentence(detail))
  }

  private static let tooLong = UploadTrouble(
    "Too long", "A clip lasts 60 seconds at most. Trim the video, then choose it again.")
  private static let tooShort = UploadTrouble(
    "Too short", "A clip lasts at least a tenth of a second. Choose a longer video.")
  private static let tooLarge = UploadTrouble(
    "Too large", "Files can have 50 MB at most. Trim the video or export it smaller, then choose it again.")
  private static let empty = UploadTrouble("The file is empty", "Choose another video.")
  private static let unknownKind = UploadTrouble(
    "This file can’t be uploaded", "Choose a video, or export it as MP4 or MOV first.")

  /// What the server said comes first: it has looked closer.
  private static func of(_ code: ErrorCode) -> UploadTrouble? {
    switch code {
    case .uploadsOff: UploadTrouble("Uploads are off", "Nobody can upload here at the moment.")
    case .tooLong: tooLong
    case .tooShort: tooShort
    case .fileTooLarge: tooLarge
    case .emptyFile: empty
    case .notAVideo, .noVideoStream: unknownKind
    case .truncated:
      UploadTrouble(
        "The video is cut off", "Its end is missing. Copy or export it again, then choose it again.")
    case .damaged, .unreadable:
      UploadTrouble(
        "The video is damaged", "Parts of it can’t be shown. Export it again, then choose it again.")
    case .encrypted:
      UploadTrouble("The video is protected", "It can’t be shown here. Choose another one.")
    case .unsupportedCodec:
      UploadTrouble("An unknown encoding", "Export the video as MP4 with H.264, then choose it again.")
    default: nil
    }
  }

  /// What may succeed once the time has passed that the server asks for.
  private static func later(_ reason: Upload.Reason, _ seconds: Int) -> UploadTrouble? {
    guard let trouble = of(reason), let again = Sentence.tryAgain(inSeconds: seconds) else { return nil }
    let why: Sentence
    switch reason {
    case .serverBusy: why = "What has arrived is safe."
    case .tooManyRequests: why = "You’ve reached the limit for now."
    case .storageFull: why = "There’s no room for your clip right now."
    default: return nil
    }
    return UploadTrouble(trouble.title, Sentence("%1$@ %2$@", [.sentence(why), .sentence(again)]))
  }

  private static func of(_ reason: Upload.Reason) -> UploadTrouble? {
    switch reason {
    case .unreadable:
      UploadTrouble("The file can’t be read", "It was moved, changed or removed. Choose it again.")
    case .fileChanged:
      UploadTrouble(
        "The file was changed",
        "It changed while it was uploading. Try again, or cancel and choose the file as it is now.")
    case .empty: empty
    case .tooShort: tooShort
    case .tooLong: tooLong
    case .tooLarge: tooLarge
    case .unknownKind: unknownKind
    case .network:
      UploadTrouble("No connection", "What has arrived is safe. Try again when you’re online.")
    case .timeout:
      UploadTrouble(
        "No answer", "The connection is too slow or the server is busy. What has arrived is safe; try again.")
    case .serverBusy:
      UploadTrouble("The server is busy", "What has arrived is safe. Try again in a moment.")
    case .gone:
      UploadTrouble(
        "The upload is gone", "It waited too long. Try again, and the file goes up from its start.")
    case .tooManyRequests:
      UploadTrouble("Too many uploads", "You’ve reached the limit for now. Try again later.")
    case .storageFull:
      UploadTrouble("No space left", "There’s no room for your clip right now. Try again later.")
    case .addressExpired:
      UploadTrouble("The storage refused it", "What has arrived is safe. Try again later.")
    case .none, .offsetMismatch, .hashMismatch, .rejected, .signInNeeded: nil
    }
  }
}
