internal import Contract

extension Operation {
  /// What an upload's content may be refused for, as soon as enough of it is there.
  private static let contentCodes: [ErrorCode] = [
    .notAVideo, .unreadable, .noVideoStream, .tooLong, .tooShort, .dimensionsUnsupported, .truncated,
    .damaged,
    .unsupportedCodec, .encrypted,
  ]

  private static let lostCodes: [ErrorCode] = [.uploadNotFound, .uploadExpired]
  /// Where an upload is changed: one that an account began is that account's.
  private static let ownCodes: [ErrorCode] = [.signInNeeded]

  private static let receivingCodes: [ErrorCode] =
    contentCodes + [
      .uploadBusy, .uploadClosed, .uploadTooLong, .fileTooLarge, .uploadOffsetMismatch,
      .uploadChecksumMismatch, .uploadHashMismatch, .uploadIncomplete, .storageFull, .tusVersionUnsupported,
      .contentTypeUnsupported, .idempotencyKeyReused,
    ]

  private static let bytes = Schema.integer
  private static let size = Note(
    range: 0...Limits.sourceBytes, tooLittle: .requestRefused, tooMuch: .requestRefused)

  /// Of tus 1.0 and of draft-ietf-httpbis-resumable-upload. Which of them are there says which protocol is
  /// spoken.
  private static let protocols: [Parameter] = [
    .header(
      "Tus-Resumable", .choice(name: "", of: ["1.0.0"]),
      Note("tus: the request speaks it.", tooLittle: .tusVersionUnsupported, isChecked: false)),
    .header(
      "Upload-Draft-Interop-Version", .integer,
      Note(
        "The IETF's draft: its version; 3, 5, 6, 7 and 8 are spoken.", range: 0...1000,
        tooLittle: .requestRefused)),
    .header(
      "Upload-Complete", .choice(name: "", of: ["?0", "?1"]),
      Note("The IETF's draft: whether the body is the last of the file.", tooLittle: .requestRefused)),
    .header(
      "Upload-Incomplete", .choice(name: "", of: ["?0", "?1"]),
      Note("Version 3 of the draft: the opposite.", tooLittle: .requestRefused)),
    .header(
      "Upload-Checksum", .string,
      Note(
        "tus: `sha1` or `sha256` and the digest of the body in base64.",
        spelling: Spelling("A-Za-z0-9+/= ", 0...64), tooLittle: .requestRefused)),
    .header(
      "X-No-Interim", .string,
      Note("For proxies and clients that cannot take a response before the response (100, 104).")),
  ]

  private static let progress: [Header] = [
    Header("Upload-Offset", "Bytes that the server holds.", bytes),
    Header("Upload-Length", "Bytes of the whole file, once they are known.", bytes),
    Header("Upload-Expires", "Until when the next byte must have come."),
    Header("Tus-Resumable", "tus alone: its version."),
    Header("Upload-Complete", "The IETF's draft alone.", .choice(name: "", of: ["?0", "?1"])),
    Header("Upload-Incomplete", "Version 3 of the draft alone.", .choice(name: "", of: ["?0", "?1"])),
    Header("Upload-Draft-Interop-Version", "The IETF's draft alone.", .integer),
    Header("Upload-Limit", "The IETF's draft alone."),
  ]

  private static let place = Header("Location", "The upload's address.")

  /// What can be done with an upload next.
  private static let linksOfUpload = Link.byID(
    at: "/id", "getUpload", "headUpload", "optionsOfUpload", "changeUpload", "publishUpload", "endUpload",
    "getClipOfUpload",
    "headClipOfUpload", "deleteClip", "restoreClip", "getCaptions", "headCaptions", "putCaptions",
    "removeCaptions")

  private static func options(_ id: String, _ route: Route) -> Operation {
    Operation(
      id: id, route: route, method: "OPTIONS", tag: "uploads",
      summary: "What the protocols of uploads can do here.",
      answers: [
        .empty(
          204, "In the headers.",
          [
            Header("Tus-Resumable", "The version of tus.", isRequired: true),
            Header("Tus-Version", "All versions of it.", isRequired: true),
            Header("Tus-Extension", "What of it is there.", isRequired: true),
            Header("Tus-Max-Size", "Bytes of the largest file.", bytes, isRequired: true),
            Header("Tus-Checksum-Algorithm", "For Upload-Checksum.", isRequired: true),
            Header("Upload-Limit", "The same for the IETF's draft.", isRequired: true),
          ])
      ], codes: route == .upload ? [.uploadNotFound] : [])
  }

  static let uploads: [Operation] =
    [
      Operation(
        id: "createUpload", route: .uploads, method: "POST", tag: "uploads", summary: "Begins an upload.",
        about: """
          In JSON with `Idempotency-Key` (the body is `NewUpload`), by tus 1.0 (`Tus-Resumable` and `Upload-Length`) or by \
          the IETF's draft (`Upload-Complete`). After that all three speak to the same upload. One that an account \
          began is that account's: nobody else adds to it, publishes it, describes it or ends it. With one of a guest whoever \
          knows its id may do so.
          """,
        parameters: [
          .idempotencyKey(
            "Demanded with JSON. Chosen anew for each file; the same key again, from the same account or guest, answers with the same upload.",
            isRequired: false),
          .header(
            "Upload-Length", bytes,
            Note(
              "Bytes of the whole file.", range: 0...(1 << 53 - 1), tooLittle: .requestRefused,
              tooMuch: .requestRefused)),
          .header(
            "Upload-Metadata", .string,
            Note(
              "tus: pairs of a name and its value in base64; `filename`, `filetype`, `caption` and `visibility` are read.",
              tooLittle: .requestRefused, isChecked: false)),
        ] + protocols,
        bodies: [.json(NewUpload.self)]
          + Body.bytes("application/offset+octet-stream", "application/partial-upload"),
        needsBody: false,
        answers: [
          .json(
            201, "The upload.", UploadStatus.self,
            [place] + progress, links: linksOfUpload)
        ],
        codes: lostCodes + receivingCodes + [
          .uploadsOff, .emptyFile, .uploadQuota, .textRefused,
        ], access: .contributors, limit: .caller(.uploads)),
      options("optionsOfUploads", .uploads),
      Operation(
        id: "getUpload", route: .upload, method: "GET", tag: "uploads",
        summary: "How far an upload is, up to the published clip.",
        parameters: protocols, answers: [.json(200, "The upload.", UploadStatus.self)],
        codes: lostCodes + [.tusVersionUnsupported]),
      Operation(
        id: "headUpload", route: .upload, method: "HEAD", tag: "uploads", summary: "Where an upload goes on.",
        parameters: protocols, answers: [.empty(204, "In the headers.", progress)],
        codes: lostCodes + ownCodes + contentCodes + [.tusVersionUnsupported, .uploadBusy, .storageFull],
        limit: .upload(.uploadSteps)),
      Operation(
        id: "changeUpload", route: .upload, method: "PATCH", tag: "uploads",
        summary: "Adds bytes to an upload, or changes what is said about its clip.",
        about: "Bytes come with `Upload-Offset`; details as a merge patch, in which null changes nothing.",
        parameters: [
          .header(
            "Upload-Offset", bytes,
            Note(
              "Where the bytes belong. Demanded with bytes.", range: 0...(1 << 53 - 1),
              tooLittle: .requestRefused, tooMuch: .requestRefused))
        ] + protocols,
        bodies: [.json(ClipDetails.self, as: "application/merge-patch+json")]
          + Body.bytes("application/offset+octet-stream", "application/partial-upload"),
        answers: [
          .json(
            200, "The upload: after details, and after the last byte by the IETF's draft.", UploadStatus.self,
            progress),
          .empty(201, "The IETF's draft: the bytes are there, and more are to come.", progress),
          .empty(204, "The bytes are there.", progress),
        ],
        codes: lostCodes + ownCodes + receivingCodes + [
          .clipNotYours, .invalidParameter, .emptyFile, .uploadQuota, .textRefused,
        ],
        access: .contributors, limit: .upload(.uploadSteps)),
      Operation(
        id: "endUpload", route: .upload, method: "DELETE", tag: "uploads",
        summary: "Ends an upload and forgets its bytes.",
        parameters: protocols,
        answers: [.empty(204, "It is over.", [Header("Tus-Resumable", "tus alone: its version.")])],
        codes: lostCodes + ownCodes + [.uploadClosed, .tusVersionUnsupported, .uploadBusy],
        access: .contributors, limit: .upload(.uploadSteps)),
      options("optionsOfUpload", .upload),
      Operation(
        id: "publishUpload", route: .uploadCommit, method: "POST", tag: "uploads",
        summary: "Makes a clip of an upload whose bytes are all there.",
        parameters: protocols, answers: [.json(200, "The upload.", UploadStatus.self)],
        codes: lostCodes + ownCodes + receivingCodes + [.emptyFile], access: .contributors,
        limit: .upload(.uploadSteps)),
    ]
    + reading(
      "clipOfUpload", .uploadClip, "uploads", "The clip of an upload, whatever its visibility.", Clip.self,
      codes: lostCodes + [.clipNotReady, .clipNotFound, .clipForAdults])

  private static let ownClipCodes: [ErrorCode] = lostCodes + ownCodes + [.clipNotReady, .clipNotYours]
  private static let linksOfOwnClip = Link.byID(at: "/upload_id", "deleteClip", "restoreClip", "changeUpload")

  /// What somebody has uploaded, when it is there.
  static let ownClips: [Operation] =
    reading(
      "ownClips", .ownClips, "uploads",
      "What whoever asks has uploaded, newest first, whatever became of it.",
      OwnClipPage.self, parameters: Parameter.page,
      links: Parameter.next(of: "getOwnClips")
        + Link.byID(at: "/items/0/upload_id", "deleteClip", "restoreClip", "changeUpload")
        + Link.byID(at: "/items/0/clip_id", "getClipInsights", "headClipInsights"))
    + [
      Operation(
        id: "deleteClip", route: .uploadClip, method: "DELETE", tag: "uploads",
        summary: "Deletes the clip of an upload.",
        about: """
          From then on nobody sees it. For a day it can be had back; then it is gone, with all that others left at it. Any number \
          of times is once.
          """,
        answers: [.json(200, "How it stands now.", OwnClip.self, links: linksOfOwnClip)], codes: ownClipCodes,
        access: .contributors, limit: .upload(.uploadSteps)),
      Operation(
        id: "restoreClip", route: .uploadClip, method: "PUT", tag: "uploads",
        summary: "Has a clip back that was deleted, as it was.",
        answers: [.json(200, "How it stands now.", OwnClip.self, links: linksOfOwnClip)], codes: ownClipCodes,
        access: .contributors, limit: .upload(.uploadSteps)),
    ]

  private static let captionCodes: [ErrorCode] =
    lostCodes + [.captionsNeedAClip, .clipNotYours, .clipNotFound]

  static let captions: [Operation] =
    reading(
      "captions", .captions, "captions", "The captions of an upload's clip, by language.", CaptionList.self,
      codes: captionCodes)
    + [
      Operation(
        id: "putCaptions", route: .captionsOfLanguage, method: "PUT", tag: "captions",
        summary: "Gives the clip captions in a language, in the place of those it has.",
        about: "WebVTT or SubRip in UTF-8, which the content decides.",
        parameters: [
          .query(
            "label", .string,
            Note(
              "What people choose it by; without it the language's own name.", range: 0...Limits.detailScalars
            ))
        ],
        bodies: Body.bytes("text/vtt", "application/x-subrip", "text/plain"),
        answers: [.json(200, "The captions.", CaptionTrack.self)],
        codes: captionCodes + ownCodes + [
          .captionsUnreadable, .captionsEmpty, .captionsTooLarge, .captionsTooMany, .contentTypeUnsupported,
          .invalidParameter, .storageFull,
        ], access: .contributors, limit: .caller(.captions)),
      Operation(
        id: "removeCaptions", route: .captionsOfLanguage, method: "DELETE", tag: "captions",
        summary: "Removes the captions in a language.", answers: [.empty(204, "They are gone.")],
        codes: captionCodes + ownCodes + [.captionsNotFound, .invalidParameter], access: .contributors,
        limit: .caller(.captions)),
    ]
}
