internal import AVFoundation
public import AppModel
internal import CoreMedia
public import CoreTypes
public import Foundation
public import PlayerKit
public import UIKit

/// Plays a plan again and again through its look, without making a file of it.
@MainActor public final class ReviewPlayerView: UIView, ReviewPlayer {
  public var onInstant: ((Milliseconds) -> Void)?

  private let player = AVPlayer()
  private var composition: PlanComposition?
  private var range: ClosedRange<Milliseconds> = .zero...Milliseconds.zero
  private var loading: Task<Void, Never>?
  private var isAsked = false
  private let audio: AudioSession
  private var end: NotificationObservation?
  private var time: TimeObservation?

  public init(_ audio: AudioSession) {
    self.audio = audio
    super.init(frame: .zero)
    backgroundColor = .black
    isUserInteractionEnabled = false
    let layer = self.layer as! AVPlayerLayer
    layer.player = player
    layer.videoGravity = .resizeAspect
    player.actionAtItemEnd = .none
    player.allowsExternalPlayback = false
  }

  public required init?(coder: NSCoder) { nil }

  public override class var layerClass: AnyClass { AVPlayerLayer.self }

  public func show(_ plan: VideoPlan?, through look: LookCube?, range: ClosedRange<Milliseconds>) {
    loading?.cancel()
    end = nil
    time = nil
    composition = nil
    self.range = range
    player.pause()
    player.replaceCurrentItem(with: nil)
    guard let plan else { return audio.endReview() }
    audio.beginReview()
    isAsked = true
    loading = Task { [weak self] in
      guard let composition = try? await PlanComposition(plan, through: look), !Task.isCancelled else {
        return
      }
      self?.attach(composition)
    }
  }

  private func attach(_ composition: PlanComposition) {
    self.composition = composition
    let item = AVPlayerItem(asset: composition.asset)
    item.videoComposition = composition.frames
    item.audioTimePitchAlgorithm = .spectral
    item.forwardPlaybackEndTime = range.upperBound.time
    end = NotificationObservation(AVPlayerItem.didPlayToEndTimeNotification, of: item) { [weak self] _ in
      Task { @MainActor in self?.again() }
    }
    time = TimeObservation(player, every: CMTime(value: 1, timescale: 20)) { [weak self] time in
      guard time.isNumeric, time.seconds.isFinite else { return }
      let instant = Milliseconds(Int64(min(max(time.seconds, 0), 86_400) * 1_000))
      Task { @MainActor in self?.onInstant?(instant) }
    }
    player.replaceCurrentItem(with: item)
    again()
  }

  private func again() {
    seek(to: range.lowerBound)
    if isAsked { player.play() }
  }

  public func setLook(_ look: LookCube?) {
    guard let composition else { return }
    player.currentItem?.videoComposition = composition.frames(through: look)
    // A frame that stands is drawn anew by going where it is.
    if !isAsked {
      player.seek(to: player.currentTime(), toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
    }
  }

  public func setRange(_ range: ClosedRange<Milliseconds>) {
    self.range = range
    player.currentItem?.forwardPlaybackEndTime = range.upperBound.time
    seek(to: range.lowerBound)
  }

  public func seek(to instant: Milliseconds) {
    player.seek(to: instant.time, toleranceBefore: .zero, toleranceAfter: .zero) { _ in }
  }

  public func play() {
    isAsked = true
    player.play()
  }

  public func pause() {
    isAsked = false
    player.pause()
  }
}
