public import CoreTypes

public enum ToggleOwner {}
/// Something that a person turns on and off (a like of one clip, following one author), given by the host.
public typealias ToggleID = Handle<ToggleOwner>

extension Activity {
  public enum Event: Sendable {
    // The clip on the screen
    /// It became the current one. `watched`: for how long it has moved before anybody looked; `nil` if it has
    /// not begun to.
    case clipShown(ItemID, duration: Milliseconds, watched: Milliseconds?)
    /// Its picture moves.
    case playing
    /// Its picture is at this place, and it plays.
    case advanced(to: Milliseconds)
    /// Its picture stands and waits for more.
    case waiting
    /// The person paused it: it waits for nothing.
    case paused
    /// The page or app is hidden and may not come back.
    case pageHidden

    // The batch under way
    case batchAnswered
    /// `status`: that of HTTP; 0 if nothing came back.
    case batchFailed(status: Int32)

    // Toggles
    /// The person wants it on or off. `known`: how it stood so far.
    case toggleRequested(ToggleID, isOn: Bool, known: Bool)
    case toggleAnswered(ToggleID)
    /// `status`: that of HTTP; 0 if nothing came back.
    case toggleFailed(ToggleID, status: Int32)
    /// Somebody else signed in: answers still under way concern nobody.
    case togglesForgotten
    case woke
  }

  public enum Command: Equatable, Sendable {
    /// Keeps it until `dropRecords`.
    case record(Record)
    /// Sends these in one request: `batchAnswered` or `batchFailed`.
    case sendBatch(first: Int64, count: Int64)
    /// Sends these without waiting for an answer.
    case sendBeacon(first: Int64, count: Int64)
    case dropRecords(first: Int64, count: Int64)
    /// Asks the server for it: `toggleAnswered` or `toggleFailed`.
    case sendToggle(ToggleID, isOn: Bool)
    /// Shows it so, at once.
    case showToggle(ToggleID, isOn: Bool)
    /// The server holds what is shown; its answer is the newest.
    case confirmToggle(ToggleID, isOn: Bool)
    /// The request failed: shows it so again, and says why.
    case revertToggle(ToggleID, isOn: Bool)
  }
}

/// One thing that happened to a clip on the screen, as `POST /api/v1/events` takes it.
public struct Record: Equatable, Sendable {
  public enum Kind: Int32, Sendable {
    /// It became the current one.
    case impression = 0
    /// Its first frame was shown, `took` after the impression.
    case firstFrame = 1
    /// So much was watched so far. The first is a view.
    case progress = 2
    /// It came to its end for the first time.
    case completion = 3
    /// It began anew.
    case loop = 4
    /// The person went on before its end.
    case skip = 5
    /// It stood still for `took` and went on.
    case stall = 6
  }

  public let number: Int64
  public let item: ItemID
  public let kind: Kind
  public let at: Instant
  /// How many clips were shown before.
  public let position: Int32
  public let took: Milliseconds?
  public let watched: Milliseconds?
}
