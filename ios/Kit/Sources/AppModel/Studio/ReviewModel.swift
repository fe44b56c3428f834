internal import Contract
internal import CoreTypes
public import Foundation
public import Observation

/// A video before it is made: it plays, and a person chooses its part, its cover and its look. Then it is
/// made, which can be cancelled, and handed over.
@MainActor @Observable public final class ReviewModel {
  struct Ports {
    let maker: any VideoMaker
    let player: any ReviewPlayer
    let folder: ClipFolder
    let back: () -> Void
    let lookChanged: (LookChoice) -> Void
    let finished: (FinishedVideo) -> Void
  }

  /// Pictures of the strip, from the first to the last instant.
  static let stripCount = 10
  static let stripHeight = 120
  static let coverHeight = 480

  @ObservationIgnored private let ports: Ports
  private let plan: VideoPlan
  /// Numbers of recorded clips; none if the video comes from the photo library.
  @ObservationIgnored private let recorded: [Int32]
  private(set) var trim: TrimRange
  private var chosenCover: Milliseconds?
  private var instant = Milliseconds.zero
  @ObservationIgnored private var isActive = true
  @ObservationIgnored private var job: Task<Void, Never>?
  @ObservationIgnored private var pictures: Task<Void, Never>?
  @ObservationIgnored private var coverTask: Task<Void, Never>?
  /// Counts makings, so that one that was cancelled says nothing any more.
  @ObservationIgnored private var makingNumber = 0

  public private(set) var look: LookChoice
  public private(set) var isPlaying = true
  /// 0…1 while the video is made.
  public private(set) var making: Double?
  /// What went wrong, as the key of a text.
  public private(set) var trouble: String?
  /// As JPEG, evenly over the whole; the ones that could not be read are empty.
  public private(set) var strip: [Data] = []
  public private(set) var coverPicture: Data?

  init(plan: VideoPlan, look: LookChoice, recorded: [Int32], ports: Ports) {
    self.plan = plan
    self.look = look
    self.recorded = recorded
    self.ports = ports
    trim = TrimRange(length: plan.length)
  }

  public var isImported: Bool { recorded.isEmpty }

  func begin() {
    ports.player.onInstant = { [weak self] in self?.instant = $0 }
    ports.player.show(plan, through: LookCube(look), range: trim.start...trim.end)
    takeStrip()
    takeCover()
  }

  /// Lets go of everything; the recorded clips stay, copies of the library's go.
  func end() {
    makingNumber += 1
    job?.cancel()
    pictures?.cancel()
    coverTask?.cancel()
    making = nil
    ports.player.onInstant = nil
    ports.player.show(nil, through: nil, range: .zero...Milliseconds.zero)
    guard isImported else { return }
    for part in plan.parts { try? FileManager.default.removeItem(at: part.file) }
  }

  func setActive(_ isActive: Bool) {
    self.isActive = isActive
    if !isActive {
      pause()
      // Nothing may be encoded in the background: it begins anew when the app is back.
      if making != nil { job?.cancel() }
    } else if making != nil {
      startMaking()
    }
  }

  // MARK: Watching

  /// Back to the camera; while the video is made, back to choosing.
  public func back() {
    if making != nil { cancelMaking() } else { ports.back() }
  }

  public func togglePlaying() { if isPlaying { pause() } else { play() } }

  private func pause() {
    isPlaying = false
    ports.player.pause()
  }

  private func play() {
    isPlaying = true
    ports.player.play()
  }

  // MARK: The part

  public var lengthSeconds: Double { Self.seconds(plan.length) }
  public var startSeconds: Double { Self.seconds(trim.start) }
  public var endSeconds: Double { Self.seconds(trim.end) }
  public var startShare: Double { share(trim.start) }
  public var endShare: Double { share(trim.end) }
  public var playheadShare: Double { share(instant) }
  /// The video is longer than a clip may be.
  public var isTooLong: Bool { plan.length > TrimRange.longest }
  public static let longestSeconds = Int(TrimRange.longest.rawValue / 1_000)
  public static let stepSeconds = seconds(TrimRange.step)

  public func moveStart(toShare share: Double) { change({ $0.moveStart(to: at(share)) }, seesEnd: false) }
  public func moveEnd(toShare share: Double) { change({ $0.moveEnd(to: at(share)) }, seesEnd: true) }
  public func move(startToShare share: Double) {
    change({ $0.move(toStart: at(share)) }, seesEnd: false)
  }
  /// For those who do not drag: a tenth of a second at a time.
  public func stepStart(by steps: Int) {
    change({ $0.moveStart(to: $0.start + TrimRange.step * Int64(steps)) }, seesEnd: false)
  }
  public func stepEnd(by steps: Int) {
    change({ $0.moveEnd(to: $0.end + TrimRange.step * Int64(steps)) }, seesEnd: true)
  }
  /// A finger has come to rest: the part plays.
  public func endTrimming() {
    ports.player.setRange(trim.start...trim.end)
    play()
    takeCover()
  }

  private func change(_ change: (inout TrimRange) -> Void, seesEnd: Bool) {
    pause()
    change(&trim)
    ports.player.seek(to: seesEnd ? max(trim.start, trim.end - TrimRange.step) : trim.start)
  }

  // MARK: The cover

  /// An instant of the part; its first picture until somebody chooses.
  private var cover: Milliseconds {
    let last = max(trim.start, trim.end - Milliseconds(1))
    return min(max(chosenCover ?? trim.start, trim.start), last)
  }
  /// From the beginning of the part.
  public var coverSeconds: Double { Self.seconds(cover - trim.start) }
  /// Of the whole, as the strip shows it.
  public var coverShare: Double { share(cover) }

  public func chooseCover(atShare share: Double) {
    let step = TrimRange.step
    chosenCover = step * (at(share).rawValue / step.rawValue)
    takeCover()
  }
  public func stepCover(by steps: Int) {
    chosenCover = cover + TrimRange.step * Int64(steps)
    takeCover()
  }

  // MARK: The look

  public func choose(_ look: LookChoice) { ports.lookChanged(look) }

  func setLook(_ look: LookChoice) {
    self.look = look
    ports.player.setLook(LookCube(look))
    takeStrip()
    takeCover()
  }

  /// The newest wish only: a finger is faster than a picture.
  private func takeCover() {
    coverTask?.cancel()
    coverTask = Task { [weak self, ports, plan, look, cover] in
      let picture = try? await ports.maker.picture(
        of: plan, through: LookCube(look), at: cover, height: Self.coverHeight)
      guard !Task.isCancelled, let picture else { return }
      self?.coverPicture = picture
    }
  }

  private func takeStrip() {
    pictures?.cancel()
    pictures = Task { [weak self, ports, plan, look] in
      let cube = LookCube(look)
      let last = max(.zero, plan.length - Milliseconds(1))
      var strip: [Data] = []
      for index in 0..<Self.stripCount {
        let at = Milliseconds((last * Int64(index)).rawValue / Int64(Self.stripCount - 1))
        let picture = try? await ports.maker.picture(
          of: plan, through: cube, at: at, height: Self.stripHeight)
        guard !Task.isCancelled else { return }
        strip.append(picture ?? Data())
        // The pictures of another look stay until there are as many new ones.
        if let self, self.strip.count < strip.count || strip.count == Self.stripCount { self.strip = strip }
      }
    }
  }

  // MARK: Making it

  /// Makes the video and hands it over.
  public func finish() {
    guard making == nil else { return }
    pause()
    trouble = nil
    startMaking()
  }

  public func cancelMaking() {
    makingNumber += 1
    job?.cancel()
    job = nil
    making = nil
    play()
  }

  private func startMaking() {
    makingNumber += 1
    let number = makingNumber
    making = 0
    let cut = plan.cut(from: trim.start, to: trim.end).sizedForUpload()
    let before = job
    job = Task { [weak self, ports, look] in
      // Two encoders at once are one too many.
      await before?.value
      let outcome = await Self.made(cut, LookCube(look), ports, goesAsItIs: self?.goesAsItIs ?? false) {
        [weak self] in
        if self?.makingNumber == number { self?.making = max(self?.making ?? 0, min($0, 1)) }
      }
      self?.ended(outcome, number)
    }
  }

  private static func made(
    _ plan: VideoPlan, _ look: LookCube?, _ ports: Ports, goesAsItIs: Bool,
    progress: @escaping @MainActor @Sendable (Double) -> Void
  ) async -> Result<URL, any Error> {
    guard !Task.isCancelled else { return .failure(CancellationError()) }
    let file = ports.folder.scratchFile(
      goesAsItIs ? plan.parts.first?.file.pathExtension ?? "mp4" : "mp4")
    do {
      if goesAsItIs, let part = plan.parts.first {
        try FileManager.default.copyItem(at: part.file, to: file)
      } else {
        try await ports.maker.make(plan, through: look, into: file, progress: progress)
      }
      return .success(file)
    } catch {
      return .failure(error)
    }
  }

  /// A video of the library that nobody changed and that the server takes: encoding it again would cost its
  /// quality and the battery.
  var goesAsItIs: Bool {
    guard isImported, plan.parts.count == 1, trim.isWhole, look.isPlain, let part = plan.parts.first,
      ["mp4", "m4v", "mov"].contains(part.file.pathExtension.lowercased()),
      let size = (try? FileManager.default.attributesOfItem(atPath: part.file.path))?[.size] as? NSNumber
    else { return false }
    return size.int64Value > 0 && size.int64Value <= Int64(Limits.sourceBytes)
  }

  private func ended(_ outcome: Result<URL, any Error>, _ number: Int) {
    guard number == makingNumber, making != nil else {
      if case .success(let file) = outcome { try? FileManager.default.removeItem(at: file) }
      return
    }
    switch outcome {
    case .success(let file):
      making = nil
      ports.finished(
        FinishedVideo(
          file: file, length: trim.duration, cover: cover > trim.start ? cover - trim.start : nil,
          clips: ports.folder.stamps(recorded)))
    case .failure(let error):
      // It waits for the app to come back.
      if !isActive { return }
      making = nil
      trouble = Self.sentence(error)
      play()
    }
  }

  private static func sentence(_ error: any Error) -> String {
    switch error as? VideoTrouble {
    case .storageFull: "There is no room for the video. Free some space on this device, then try again."
    case .unreadable: "A part of the video cannot be read."
    case .interrupted, .failed, nil: "The video could not be made. Your clips are all still here."
    }
  }

  private static func seconds(_ length: Milliseconds) -> Double { Double(length.rawValue) / 1_000 }
  private func share(_ instant: Milliseconds) -> Double {
    guard plan.length > .zero else { return 0 }
    return min(max(Double(instant.rawValue) / Double(plan.length.rawValue), 0), 1)
  }
  private func at(_ share: Double) -> Milliseconds {
    let share = share.isFinite ? min(max(share, 0), 1) : 0
    return Milliseconds(Int64(Double(plan.length.rawValue) * share))
  }
}
