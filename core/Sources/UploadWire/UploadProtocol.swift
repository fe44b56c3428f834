/// What an upload hears: names and numbers, here and nowhere else. `woke` is the session's, as any machine
/// behind a door of its own hears it; the others do not meet those of the other machines.
///
/// `scripts/wire-protocol.sh` makes the tables of docs/design/upload.md and web/app/upload/wire.js of this
/// file.
public enum UploadEventKind: Int64 {
  case woke = 50
  case opened = 120
  case restored = 121
  case fileChosen = 122
  case networkChanged = 123
  case signedIn = 124
  case publishRequested = 125
  case pauseTapped = 126
  case resumeTapped = 127
  case retryTapped = 128
  case cancelTapped = 129
  case workProgressed = 130
  case prepared = 131
  case prepareFailed = 132
  case hashed = 133
  case fileUnreadable = 134
  case receiving = 135
  case receivingParts = 136
  case bytesSent = 137
  case bytesTaken = 138
  case partTaken = 139
  case processing = 140
  case published = 141
  case refused = 142
  case terminated = 143
  case failed = 144
  case uplinkMeasured = 145
}

public enum UploadCommandKind: Int64 {
  case store = 120
  case forget = 121
  case findFile = 122
  case noticeOtherFile = 123
  case compress = 124
  case offerTrim = 125
  case hash = 126
  case stopWork = 127
  case dropFile = 128
  case create = 129
  case ask = 130
  case sendBytes = 131
  case sendPart = 132
  case commit = 133
  case poll = 134
  case terminate = 135
  case abandon = 136
  case askSignIn = 137
  case show = 138
}

// What follows is for people, scripts and tests; no word of it gets into upload.wasm.
#if !hasFeature(Embedded)

  /// The fields in their order, each a name and what is said of it, and what the row says. A last field that
  /// begins with "…" is any number of words.
  extension UploadEventKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .woke: ([], "the time asked for by `wake` has come")
      case .opened: (["seedHigh", "seedLow", "canCompress 0/1", "canTrim 0/1"], "first of all")
      case .restored:
        (
          ["…words the 14 of `store`"],
          "an earlier run stored them; malformed: the host deletes them and begins anew"
        )
      case .fileChosen: (Self.source, "chosen, dropped, or found after `findFile`")
      case .networkChanged: (["online 0/1"], "online until this says otherwise")
      case .signedIn: ([], "after `askSignIn`")
      case .publishRequested: ([], "details are complete; at any time")
      case .pauseTapped: ([], "")
      case .resumeTapped: ([], "")
      case .retryTapped: ([], "in `failed`")
      case .cancelTapped:
        ([], "a second time: without waiting for the server, unless it may have been told to commit")
      case .workProgressed: (["call", "permille"], "of `compress`, `hash`")
      case .prepared:
        (["call"] + Self.source, "the result of `compress` or `offerTrim`, a file with a number of its own")
      case .prepareFailed: (["call"], "there is none, or the person does not want to trim")
      case .hashed: (["call", "…hash (4 words)"], "SHA-256, big-endian")
      case .fileUnreadable:
        (["call"], "of `hash`, `sendBytes`, `sendPart`: also if the size is no longer the same")
      case .receiving:
        (
          ["call", "offset", "smallest", "largest (of one request; 0: any)"],
          "the server takes bytes one behind the other"
        )
      case .receivingParts:
        (
          [
            "call", "size of a part", "validFor ms of the addresses (0: unknown)", "count",
            "…parts their numbers",
          ],
          "the server takes parts by number; these it has. At most 1,024"
        )
      case .bytesSent: (["call", "bytes of this call so far"], "while a body is sent")
      case .bytesTaken: (["call", "offset"], "the server has everything up to there")
      case .partTaken: (["call"], "the server (or the bucket) has this part")
      case .processing:
        (["call (0: pushed)", "permille", "renditions that play"], "committed, and at work")
      case .published: (["call (0: pushed)"], "the clip is in the feed")
      case .refused: (["call (0: pushed)", "code"], "committed, and not a clip")
      case .terminated: (["call"], "")
      case .failed:
        (["call", "reason (1…11)", "detail", "retryAfter ms (0: not said)"], "a request brought nothing")
      case .uplinkMeasured:
        (["speed bits/s (0: not known)"], "how fast bytes left the last time; behind `opened`")
      }
    }

    private static let source = [
      "file", "size", "duration ms (−1: unknown)",
      "kind (0 unknown, 1 MP4 or MOV, 2 WebM or Matroska, 3 MPEG-TS, 4 3GP)",
    ]
  }

  extension UploadCommandKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .store:
        (
          [
            "…words 14: version, seed high, seed low, epoch, flags, size, duration, kind, hash (4 words), recreations, "
              + "mismatches"
          ], "writes these down, in place of earlier ones, before it goes on"
        )
      case .forget: ([], "deletes them, and what it made for this upload; always the last command")
      case .findFile: (["size", "product 0/1"], "finds the file again: `fileChosen`")
      case .noticeOtherFile: (["file"], "says that this is another file than the one begun with")
      case .compress:
        (["call", "file", "target size"], "makes a smaller file: `prepared` or `prepareFailed`")
      case .offerTrim:
        (
          ["call", "file", "longest ms", "largest size"],
          "lets the person choose a part: `prepared` or `prepareFailed`"
        )
      case .hash: (["call", "file"], "SHA-256 of the whole file: `hashed` or `fileUnreadable`")
      case .stopWork: (["call"], "stops 124, 125 or 126; no answer is awaited")
      case .dropFile: (["file"], "deletes a file that `prepared` brought; never the chosen one")
      case .create:
        (
          ["call", "keyHigh", "keyLow", "size", "duration", "kind", "…hash (4 words)"],
          "creates the upload, or asks for the one with this key: `receiving`, `receivingParts`, `processing`, "
            + "`published`, `refused`"
        )
      case .ask:
        (["call"], "asks for its state, and for new addresses of all parts that are missing: as `create`")
      case .sendBytes:
        (
          ["call", "file", "offset", "size"],
          "one request with these bytes at this offset: `bytesSent`, then `bytesTaken`. Other bytes on their way "
            + "are stopped first"
        )
      case .sendPart:
        (
          ["call", "file", "part", "offset", "size"],
          "puts these bytes at the part's address: `bytesSent`, then `partTaken`. Up to three at a time"
        )
      case .commit: (["call"], "hands in the details and commits: `processing`, `published` or `refused`")
      case .poll: (["call"], "asks what became of it: the same")
      case .terminate: (["call"], "deletes the upload: `terminated`; if it was committed: as `poll`")
      case .abandon: (["call"], "aborts the request; no answer is awaited")
      case .askSignIn: ([], "asks the person to sign in: `signedIn`")
      case .show:
        (
          [
            "phase", "acknowledged", "inFlight", "total", "speed bits/s (0: unknown)",
            "remaining ms (−1: unknown)",
            "attempt", "waitingUntil (−1: not)", "permille", "renditions", "reason", "code", "canPause 0/1",
            "canResume 0/1", "canRetry 0/1", "canCancel 0/1",
          ], "shows the upload like this; comes only when something differs"
        )
      }
    }
  }

#endif
