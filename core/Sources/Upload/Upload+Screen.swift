import CoreTypes

/// What a screen shows.
extension Upload {
  var canPause: Bool {
    guard failed == nil, !isPaused else { return false }
    switch stage {
    case .hashing, .finding: return true
    case .uploading: return !isComplete || isPublishRequested
    case .empty, .trimming, .compressing, .processing, .cancelling, .ended: return false
    }
  }

  func screen() -> Screen {
    var screen = Screen()
    screen.phase = phase
    screen.acknowledged = received
    for call in calls { screen.inFlight += call.sent }
    screen.total = facts?.size ?? candidate?.source.size ?? .zero
    screen.attempt = retryPolicy.failures
    screen.reason = failed?.reason ?? ending.reason
    screen.code = failed?.code ?? ending.code
    screen.canPause = canPause
    screen.canResume = isPaused
    screen.canRetry = failed != nil
    switch screen.phase {
    case .waiting, .cancelling, .processing: screen.waitingUntil = isFree ? retryPolicy.until : nil
    case .sending: estimate(&screen)
    default: break
    }
    switch screen.phase {
    case .processing:
      screen.permille = permille
      screen.renditions = renditions
    case .compressing, .trimOffered, .hashing:
      screen.permille = work.permille
      screen.remaining = work.remaining
    default: break
    }
    screen.canCancel = canCancel
    return screen
  }

  private var canCancel: Bool {
    switch stage {
    case .processing, .ended: false
    case .cancelling: facts?.wasCommitted != true
    case .empty, .trimming, .compressing, .hashing, .finding, .uploading: true
    }
  }

  private func estimate(_ screen: inout Screen) {
    guard let speed = transferRate.speed, speed > .zero else { return }
    screen.speed = speed
    screen.remaining = (screen.total - screen.acknowledged - screen.inFlight).transferTime(at: speed)
  }

  private var phase: Phase {
    if case .ended(let phase) = stage { return phase }
    if failed != nil { return .failed }
    switch stage {
    case .empty, .ended: return .empty
    case .trimming: return .trimOffered
    case .compressing: return .compressing
    case .processing: return .processing
    case .cancelling: return .cancelling
    case .hashing: return isPaused ? .paused : .hashing
    case .finding: return isPaused ? .paused : .findingFile
    case .uploading: return uploadingPhase
    }
  }

  private var uploadingPhase: Phase {
    if isPaused { return .paused }
    // All bytes are there: nothing is being waited for but the person.
    if isComplete, !isPublishRequested, !needsAsk { return .complete }
    if needsSignIn { return .signInNeeded }
    if !isOnline { return .offline }
    if retryPolicy.until != nil, calls.isEmpty { return .waiting }
    if isComplete || facts?.wasCommitted == true { return .committing }
    return isKnown ? .sending : .creating
  }
}
