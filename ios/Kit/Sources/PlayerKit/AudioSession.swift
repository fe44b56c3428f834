internal import AVFAudio
internal import Foundation
internal import Playback

/// The app's part in the device's sound: other apps' music goes on until a clip is heard. Who has it is
/// `SoundUse`'s to say; players make the only one.
@MainActor public final class AudioSession {
  /// What plays should stand: a call came, or the headphones went. Players stand by themselves; the core does
  /// not know yet.
  public var onStopped: (() -> Void)?
  /// The system's media service died and is another: players of the old one play nothing any more.
  var onReset: (() -> Void)?

  private var observations: [NotificationObservation] = []
  private var use = SoundUse()

  init() {
    let session = AVAudioSession.sharedInstance()
    observations = [
      NotificationObservation(AVAudioSession.interruptionNotification, of: session) { [weak self] notice in
        let raw = notice.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
        guard raw.flatMap({ AVAudioSession.InterruptionType(rawValue: $0) }) == .began else { return }
        Task { @MainActor in self?.onStopped?() }
      },
      NotificationObservation(AVAudioSession.routeChangeNotification, of: session) { [weak self] notice in
        let raw = notice.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
        guard raw.flatMap({ AVAudioSession.RouteChangeReason(rawValue: $0) }) == .oldDeviceUnavailable else {
          return
        }
        Task { @MainActor in self?.onStopped?() }
      },
      NotificationObservation(AVAudioSession.mediaServicesWereResetNotification, of: session) {
        [weak self] _ in
        Task { @MainActor in self?.reset() }
      },
    ]
  }

  /// Whether another app is heard now: its music goes on until a clip is heard.
  public var othersAreHeard: Bool { AVAudioSession.sharedInstance().isOtherAudioPlaying }

  /// Whether clips of the feed are heard.
  public func setHeard(_ isHeard: Bool) { set(use.feedAsks(isHeard: isHeard)) }

  /// A video is looked at before it is uploaded.
  public func beginReview() { set(use.reviewBegan()) }

  public func endReview() { set(use.reviewEnded()) }

  /// The camera sets the session from now on; `giveBack` is told what this answers.
  public func takeMicrophone() -> Int { use.microphoneTaken() }

  public func giveBack(_ recording: Int) { set(use.microphoneGone(recording)) }

  private func reset() {
    set(use.wasReset())
    onReset?()
  }

  /// Category playback in both cases, or no window of picture in picture starts; silent clips mix with what
  /// others play. Refused, the app is heard all the same, only beside others: nothing to say.
  private func set(_ setting: SoundUse.Setting?) {
    guard let setting else { return }
    let session = AVAudioSession.sharedInstance()
    do {
      try session.setCategory(
        .playback, mode: .moviePlayback, options: setting == .heard ? [] : [.mixWithOthers])
      try session.setActive(true)
    } catch {
      use.wasRefused()
    }
  }
}
