internal import Contract

extension Note {
  /// What is said of a property: `Type.name`, `Type.name.*` for the items of a list, `*.name` for every type.
  static func of(_ property: String, in type: String) -> Note {
    table["\(type).\(property)"] ?? table["*.\(property)"] ?? Note()
  }

  /// Kinds of text that are used in several places.
  static let id = Spelling("A-Za-z0-9_-", 1...64)
  static let hash = Spelling("0-9a-f", 64...64)

  static let table: [String: Note] = [
    // Everywhere
    "*.next_cursor": Note("Where the next page starts; null where there is none.", isAlwaysThere: true),
    "*.created_at": Note("RFC 3339, in UTC."),
    "*.placeholder": Note("A ThumbHash in base64: a blurred picture of some 25 bytes."),
    "*.url": Note("Relative to the server, or absolute."),

    // Problems
    "Problem.type": Note("A stable name of the kind of problem; no address to open."),
    "Problem.code": Note(
      "Stable: what programs go by. Texts may improve.", choices: ErrorCode.allCases.map(\.rawValue)),
    "Problem.detail": Note("One sentence for a person."),
    "Problem.field": Note(
      "What in the request is wrong, where it is one thing: a path into the body (`details.tags[0]`), or the name of "
        + "a parameter or a header."),
    "Problem.request_id": Note("What the operator finds the request by in the log."),
    "Problem.retryable": Note("The same request can succeed later without being changed."),

    // Clips
    "Clip.tags": Note("Without `#`, in lower case."),
    "Clip.visibility": Note(
      "Left out for a public clip. For another one all media addresses end after an hour or two; ask for the clip "
        + "again to get new ones."),
    "Clip.poster": Note("The exact first frame."),
    "Clip.cover": Note("Left out where the poster is the cover."),
    "Playback.renditions": Note("In ascending quality; a clip that is new may have only the smallest."),
    "Playback.hls_url": Note("The same clip as HLS."),
    "Rendition.codecs": Note("RFC 6381, ready for `MediaSource.isTypeSupported`."),
    "CaptionTrack.language": Note("BCP 47."),

    // Comments and reactions
    "NewComment.text": Note(
      "At most \(Limits.commentLength) characters as a person counts them (grapheme clusters).",
      range: 1...Limits.commentScalars, tooLittle: .commentEmpty, tooMuch: .commentTooLong),

    // What was watched
    "WatchEvents.sent_at_ms": Note(
      "When it is sent, by the clock of the events: from it the server learns how wrong that clock is.",
      range: Limits.eventAtMs.asInts),
    "WatchEvents.events": Note(range: Limits.eventsInBatch),
    "WatchEvent.id": Note(
      "Chosen anew for each event; it counts once.", spelling: Spelling("A-Za-z0-9_-", Limits.eventIDLength)),
    "WatchEvent.clip_id": Note(spelling: id),
    "WatchEvent.at_ms": Note("By the client's clock, since 1970.", range: Limits.eventAtMs.asInts),
    "WatchEvent.took_ms": Note(
      "How long the first frame took, or the stall.", range: Limits.eventTookMs.asInts),
    "WatchEvent.watched_ms": Note("So far.", range: Limits.eventWatchedMs.asInts),
    "WatchEvent.position": Note(
      "The how-manieth clip of this visit it was, from 0.", range: Limits.eventPosition.asInts),
    "WatchEventsTaken.accepted": Note("How many counted, now or when they came before."),
    "Clip.viewer": Note("What whoever asks has to do with the clip, if anything."),

    // Uploads
    "NewUpload.size_bytes": Note(
      "Of the whole file.", range: 1...Limits.sourceBytes, isDemanded: true, tooLittle: .emptyFile,
      tooMuch: .fileTooLarge),
    "NewUpload.sha256": Note(
      "Of the whole file.", spelling: hash, isDemanded: true, tooLittle: .requestRefused),
    "NewUpload.type": Note(
      "The media type that the sender believes it is; the content decides.", range: 0...Limits.mediaTypeLength
    ),
    "ClipDetails.caption": Note(
      "What is longer than \(Limits.captionLength) characters is cut.", range: 0...Limits.detailScalars),
    "ClipDetails.tags": Note(
      "Without `#`; those in the caption count as well. What is no word or longer than \(Limits.tagLength) characters is left "
        + "out, and so is what comes after \(Limits.tags) of them.", range: 0...Limits.tagsSent),
    "ClipDetails.tags.*": Note(range: 0...Limits.detailScalars),
    "ClipDetails.cover_ms": Note(
      "The instant whose picture stands for the clip; one behind its end means its last picture.",
      range: Limits.coverMs),
    "UploadStatus.offset": Note("Bytes that the server holds, from the first one on without a gap."),
    "UploadStatus.direct": Note(
      "While bytes may go straight to the storage: an address for `PUT` of each missing part."),
    "UploadProblem.code": Note(choices: ErrorCode.allCases.map(\.rawValue)),
    "UploadedClip.permille": Note("Of the whole work, in thousandths."),
  ]

  /// By type, what one property asks of another.
  static let needs: [String: [Schema.Need]] = [
    "WatchEvent": [
      .init("took_ms", if: "kind", isOneOf: "first_frame", "stall"),
      .init("watched_ms", if: "kind", isOneOf: "progress", "skip"),
    ]
  ]
}

extension ClosedRange<Int64> {
  fileprivate var asInts: ClosedRange<Int> { Int(lowerBound)...Int(upperBound) }
}
