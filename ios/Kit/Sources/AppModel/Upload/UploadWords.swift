internal import Contract
internal import CoreTypes
internal import Foundation
internal import Transfer
internal import Upload

/// How an upload is spoken of: numbers as people read them, and what goes on at the moment.
struct UploadWords {
  let locale: Locale

  /// How far it is, 0 to 1.
  static func share(of screen: Upload.Screen) -> Double {
    switch screen.phase {
    case .published: return 1
    case .processing, .compressing: return Double(min(max(screen.permille, 0), 1_000)) / 1_000
    default:
      guard screen.total > .zero else { return 0 }
      let sent = screen.acknowledged + screen.inFlight
      return min(1, max(0, Double(sent.rawValue) / Double(screen.total.rawValue)))
    }
  }

  /// What the file is.
  func facts(of state: UploadState) -> [Sentence] {
    guard state.screen.total > .zero else { return [] }
    var facts = [Sentence("%@", size(state.screen.total))]
    if let duration = state.duration, duration > .zero {
      facts.append(Sentence("%@", length(duration)))
    }
    return facts
  }

  func line(of state: UploadState, at now: Instant) -> [Sentence] {
    let screen = state.screen
    switch screen.phase {
    case .empty, .published, .refused, .cancelled: return []
    case .compressing: return working("Making it smaller…", screen)
    case .trimOffered: return screen.permille > 0 ? working("Cutting…", screen) : ["Nothing is uploaded yet."]
    case .hashing: return working("Checking the file…", screen)
    case .creating: return ["Connecting…"]
    case .sending: return sending(screen)
    case .waiting: return waiting(state, at: now)
    case .offline: return ["No connection. It continues by itself.", reached(screen)]
    case .paused: return ["Paused", reached(screen)]
    case .findingFile: return [reached(screen)]
    case .signInNeeded: return ["Sign in to continue."]
    case .complete: return ["Uploaded. Publish it whenever you’re ready."]
    case .committing: return ["Publishing…"]
    case .processing: return making(state)
    case .cancelling: return ["Cancelling…"]
    case .failed: return ["Stopped", reached(screen)]
    }
  }

  func pill(of state: UploadState) -> Sentence {
    let percent = percent(state.screen)
    switch state.phase {
    case .findingFile: return "Upload waiting"
    case .trimOffered: return "Choose a part"
    case .compressing: return Sentence("Making it smaller %@", percent)
    case .paused: return Sentence("Paused %@", percent)
    case .complete: return state.isPublishRequested ? "Publishing…" : "Publish it?"
    case .committing: return "Publishing…"
    case .processing: return Sentence("Making your clip %@", percent)
    case .published: return "Published"
    case .failed, .refused: return "Stopped"
    case .signInNeeded: return "Sign in"
    case .cancelling: return "Cancelling…"
    case .empty, .hashing, .creating, .sending, .waiting, .offline, .cancelled:
      return Sentence("Uploading %@", percent)
    }
  }

  private func sending(_ screen: Upload.Screen) -> [Sentence] {
    var pieces = [reached(screen, with: screen.inFlight)]
    guard screen.speed > .zero else { return pieces }
    pieces.append(Sentence("%@/s", size(Bytes(screen.speed.rawValue / 8))))
    if let remaining = screen.remaining { pieces.append(left(remaining)) }
    return pieces
  }

  private func working(_ what: Sentence, _ screen: Upload.Screen) -> [Sentence] {
    guard screen.permille > 0 else { return [what] }
    let share = Double(min(screen.permille, 1_000)) / 1_000
    var pieces = [
      what, Sentence("%@", share.formatted(.percent.precision(.fractionLength(0)).locale(locale))),
    ]
    if let remaining = screen.remaining, remaining > Milliseconds(1_000) { pieces.append(left(remaining)) }
    return pieces
  }

  private func making(_ state: UploadState) -> [Sentence] {
    let ready = (state.clip?.renditions ?? []).filter { $0.state == .ready }.map { "\($0.name)p" }
    guard !ready.isEmpty else {
      return ["Making your clip…", Sentence("%@", percent(state.screen))]
    }
    return ["Making your clip…", Sentence("%@ ready", ready.joined(separator: ", "))]
  }

  /// Why nothing moves at the moment, and until when.
  private func waiting(_ state: UploadState, at now: Instant) -> [Sentence] {
    let until = state.screen.waitingUntil.map { max(.zero, $0 - now) } ?? .zero
    return [cause(state), until > .zero ? again(until) : "Trying again…"]
  }

  private func cause(_ state: UploadState) -> Sentence {
    if state.lacksRoom { return "This device is full." }
    switch state.problem.flatMap({ ErrorCode(rawValue: $0.code) }) {
    case .storageFull: return "The server is full."
    case .uploadQuota: return "You’ve reached today’s limit."
    case nil: return state.problem == nil ? "The connection broke." : "The server is busy."
    default: return "The server is busy."
    }
  }

  private func reached(_ screen: Upload.Screen, with moving: Bytes = .zero) -> Sentence {
    let sent = min(screen.total, screen.acknowledged + moving)
    return Sentence("%@ of %@", [.verbatim(size(sent)), .verbatim(size(screen.total))])
  }

  private func left(_ time: Milliseconds) -> Sentence {
    let seconds = Self.seconds(time)
    return seconds < 60
      ? Sentence("%@ s left", String(seconds)) : Sentence("%@ min left", String((seconds + 30) / 60))
  }

  private func again(_ time: Milliseconds) -> Sentence {
    let seconds = Self.seconds(time)
    return seconds < 60
      ? Sentence("It continues in %@ s.", String(seconds))
      : Sentence("It continues in %@ min.", String((seconds + 59) / 60))
  }

  private func percent(_ screen: Upload.Screen) -> String {
    // Not before all of it is there.
    let share = (Self.share(of: screen) * 100).rounded(.down) / 100
    return share.formatted(.percent.precision(.fractionLength(0)).locale(locale))
  }

  private func size(_ bytes: Bytes) -> String {
    max(bytes, .zero).rawValue.formatted(.byteCount(style: .memory, spellsOutZero: false).locale(locale))
  }

  /// As a player says it.
  func length(_ time: Milliseconds) -> String {
    let seconds = Self.seconds(time)
    return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
  }

  private static func seconds(_ time: Milliseconds) -> Int {
    Int((min(max(time.rawValue, 0), 86_400_000) + 999) / 1_000)
  }
}
