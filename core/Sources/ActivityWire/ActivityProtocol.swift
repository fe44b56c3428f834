/// What `Activity` hears: names and numbers, here and nowhere else. `woke` is the session's, as any machine
/// behind a door of its own hears it; the others do not meet those of the other machines.
///
/// `scripts/wire-protocol.sh` makes the tables of docs/design/activity.md and web/app/activity/activity.js of
/// this file.
public enum ActivityEventKind: Int64 {
  case woke = 50
  case clipShown = 150
  case playing = 151
  case advanced = 152
  case waiting = 153
  case paused = 154
  case pageHidden = 155
  case batchAnswered = 156
  case batchFailed = 157
  case toggleRequested = 158
  case toggleAnswered = 159
  case toggleFailed = 160
  case togglesForgotten = 161
}

public enum ActivityCommandKind: Int64 {
  case record = 150
  case sendBatch = 151
  case sendBeacon = 152
  case dropRecords = 153
  case sendToggle = 154
  case showToggle = 155
  case confirmToggle = 156
  case revertToggle = 157
}

// What follows is for people, scripts and tests; no word of it gets into activity.wasm.
#if !hasFeature(Embedded)

  /// The fields in their order, each a name and what is said of it, and what the row says.
  extension ActivityEventKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .woke: ([], "the time asked for by `wake` has come")
      case .clipShown:
        (
          ["item", "duration ms", "watched ms (−1: it has not begun to move)"],
          "it became the current one; what is reported of a picture from now on is about it"
        )
      case .playing: ([], "its picture moves")
      case .advanced: (["position ms"], "its picture is there, and it plays")
      case .waiting: ([], "its picture stands and waits for more")
      case .paused: ([], "the person paused it")
      case .pageHidden: ([], "the page may not come back")
      case .batchAnswered: ([], "the server took the batch")
      case .batchFailed: (["status of HTTP (0: nothing came back)"], "it did not")
      case .toggleRequested:
        (["toggle", "on 0/1", "known 0/1"], "the person wants it so; `known`: how it stood so far")
      case .toggleAnswered: (["toggle"], "the server did it")
      case .toggleFailed: (["toggle", "status of HTTP (0: nothing came back)"], "it did not")
      case .togglesForgotten:
        ([], "somebody else is signed in; toggles have other numbers from now on")
      }
    }
  }

  extension ActivityCommandKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .record:
        (
          [
            "number", "item",
            "kind (0 impression, 1 first_frame, 2 progress, 3 completion, 4 loop, 5 skip, 6 stall)",
            "instant ms", "position how many clips were shown before", "took ms (−1: none)",
            "watched ms (−1: none)",
          ], "keeps it under an id of its own until `dropRecords`"
        )
      case .sendBatch: (["first", "count"], "sends these records: `batchAnswered` or `batchFailed`")
      case .sendBeacon: (["first", "count"], "sends these and awaits no answer")
      case .dropRecords: (["first", "count"], "forgets these")
      case .sendToggle:
        (["toggle", "on 0/1"], "asks the server for that state: `toggleAnswered` or `toggleFailed`")
      case .showToggle: (["toggle", "on 0/1"], "shows it so")
      case .confirmToggle: (["toggle", "on 0/1"], "what the server answered is what is shown")
      case .revertToggle: (["toggle", "on 0/1"], "shows it so again, and says that the request failed")
      }
    }
  }

#endif
