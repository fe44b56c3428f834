internal import AVFAudio
internal import Foundation

/// The app's part in the device's sound: other apps' music goes on until a clip is heard.
@MainActor public final class AudioSession {
  /// What plays should stand: a call came, or the headphones went. Players stand by themselves; the core does
  /// not know yet.
  public var onStopped: (() -> Void)?

  private var observations: [NotificationObservation] = []
  /// As asked for last; `nil`: nobody has asked yet.
  public private(set) var isHeard: Bool?

  public init() {
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
        Task { @MainActor in self?.setAgain() }
      },
    ]
  }

  /// Whether another app is heard now: its music goes on until a clip is heard.
  public var othersAreHeard: Bool { AVAudioSession.sharedInstance().isOtherAudioPlaying }

  /// Category playback in both cases, or no window of picture in picture starts; silent clips mix with what
  /// others play.
  public func setHeard(_ isHeard: Bool) throws {
    guard isHeard != self.isHeard else { return }
    let session = AVAudioSession.sharedInstance()
    try session.setCategory(.playback, mode: .moviePlayback, options: isHeard ? [] : [.mixWithOthers])
    try session.setActive(true)
    self.isHeard = isHeard
  }

  /// Gives the sound back to who had it.
  public func end() throws {
    isHeard = nil
    try AVAudioSession.sharedInstance().setActive(false, options: [.notifyOthersOnDeactivation])
  }

  /// Sets what was asked for last once more: the system's media service was started anew, or the camera had
  /// the device's sound.
  public func setAgain() {
    guard let isHeard else { return }
    self.isHeard = nil
    try? setHeard(isHeard)
  }
}
