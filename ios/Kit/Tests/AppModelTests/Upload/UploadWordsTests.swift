import Contract
import CoreTypes
import Foundation
import Testing
import Transfer
import Upload

@testable import AppModel

@MainActor @Suite struct UploadSentenceTests {
  private let words = UploadWords(locale: Locale(identifier: "en_US"))

  private func state(_ phase: Upload.Phase, _ change: (inout UploadState) -> Void = { _ in }) -> UploadState {
    var state = UploadState(id: "1", name: "film.mp4")
    state.screen.phase = phase
    state.screen.total = Bytes(4 << 20)
    state.screen.acknowledged = Bytes(1 << 20)
    change(&state)
    return state
  }

  private func line(_ state: UploadState) -> String {
    words.line(of: state, at: Instant(10_000)).map(Self.text).joined(separator: " · ")
  }

  /// As the catalog's English has it.
  static func text(_ sentence: Sentence) -> String { sentence.text { $0 } }

  @Test func bytesTheirPaceAndTheTimeLeft() {
    let sending = state(.sending) {
      $0.screen.inFlight = Bytes(1 << 20)
      $0.screen.speed = BitsPerSecond(8 << 20)
      $0.screen.remaining = Milliseconds(2_000)
    }
    #expect(line(sending) == "2 MB of 4 MB · 1 MB/s · 2 s left")
    #expect(line(state(.sending)) == "1 MB of 4 MB")
    #expect(UploadWords.share(of: sending.screen) == 0.5)
  }

  @Test func whyNothingMovesAndUntilWhen() {
    func waiting(_ code: String?, _ until: Int64?) -> String {
      line(
        state(.waiting) {
          $0.problem = code.map { UploadProblem(code: $0, detail: "") }
          $0.screen.waitingUntil = until.map { Instant($0) }
        })
    }
    #expect(waiting(nil, nil) == "The connection broke. · Trying again…")
    #expect(waiting("storage_full", 15_500) == "The server is full. · It continues in 6 s.")
    #expect(waiting("upload_quota", 310_000) == "You’ve reached today’s limit. · It continues in 5 min.")
    #expect(waiting("unavailable", 9_000) == "The server is busy. · Trying again…")
    #expect(line(state(.waiting) { $0.lacksRoom = true }).hasPrefix("This device is full."))
  }

  @Test func whatTheServerWantsToWaitForIsSaidWhereItStopped() {
    func advice(_ reason: Upload.Reason, _ seconds: Int) -> String {
      let failed = state(.failed) {
        $0.screen.reason = reason
        $0.retryAfterSeconds = seconds
      }
      return UploadTrouble(failed).map { Self.text($0.advice) } ?? ""
    }
    #expect(advice(.tooManyRequests, 0) == "You’ve reached the limit for now. Try again later.")
    #expect(advice(.tooManyRequests, 600).hasPrefix("You’ve reached the limit for now. Try again in 10 "))
    #expect(advice(.serverBusy, .max).hasPrefix("What has arrived is safe. Try again in 24 "))
    #expect(advice(.gone, 600) == advice(.gone, 0))
  }

  @Test func whatIsNotSavedOfAPublishedClipIsTrouble() {
    #expect(UploadTrouble(state(.published)) == nil)
    let untold = state(.published) { $0.hasUntoldDetails = true }
    #expect(UploadTrouble(untold).map { Self.text($0.advice) } == "Choose “Edit” and save them again.")
    let refused = state(.published) {
      $0.hasUntoldDetails = true
      $0.problem = UploadProblem(code: "invalid_parameter", detail: "The caption is too long.")
    }
    #expect(
      UploadTrouble(refused).map { Self.text($0.advice) }
        == "The caption is too long. Choose “Edit” and save them again.")
  }

  @Test func everyPhaseHasWords() {
    for raw: Int32 in 0...18 {
      guard let phase = Upload.Phase(rawValue: raw) else {
        Issue.record("no phase \(raw)")
        continue
      }
      #expect(!words.pill(of: state(phase)).key.isEmpty)
      let isSilent = [.empty, .published, .refused, .cancelled].contains(phase)
      #expect(words.line(of: state(phase), at: Instant(0)).isEmpty == isSilent, "\(phase)")
    }
  }

  @Test func numbersFromOutsideAreBounded() {
    let wild = state(.sending) {
      $0.screen.speed = BitsPerSecond(.max)
      $0.screen.remaining = Milliseconds(.max)
      $0.screen.permille = .max
      $0.screen.waitingUntil = Instant(.max)
      $0.duration = Milliseconds(.max)
    }
    for raw: Int32 in 0...18 {
      var state = wild
      state.screen.phase = Upload.Phase(rawValue: raw) ?? .empty
      _ = line(state)
      _ = words.facts(of: state)
    }
  }

  @Test func troubleSaysWhatToDo() {
    let rejected = state(.failed) {
      $0.screen.reason = .rejected
      $0.problem = UploadProblem(code: "uploads_off", detail: "Uploads are off.")
    }
    #expect(UploadTrouble(rejected)?.title == "Uploads are off")
    let unknown = state(.failed) {
      $0.screen.reason = .rejected
      $0.problem = UploadProblem(code: "brand_new", detail: "Say it louder.")
    }
    #expect(UploadTrouble(unknown)?.advice == "Say it louder.")
    #expect(UploadTrouble(state(.refused) { $0.screen.reason = .tooLong })?.title == "Too long")
    #expect(UploadTrouble(state(.sending)) == nil)
    #expect(UploadTrouble(state(.findingFile))?.advice.arguments == [.verbatim("film.mp4")])
    #expect(UploadTrouble(state(.findingFile) { $0.isOtherFile = true })?.title == "That’s another file")
    for raw in Array(Int32(1)...11) + Array(20...26) {
      let failed = state(.failed) { $0.screen.reason = Upload.Reason(rawValue: raw) ?? .none }
      #expect(UploadTrouble(failed) != nil)
    }
  }
}

@MainActor @Suite struct TrimModelTests {
  private func model(seconds: Int64 = 100, megabytes: Int64 = 10) -> TrimModel {
    TrimModel(
      TrimOffer(
        file: URL(filePath: "/f"), duration: Milliseconds(seconds * 1_000), size: Bytes(megabytes << 20),
        longest: Milliseconds(60_000), largest: Bytes(50 << 20)))
  }

  @Test func beginsWithThePartThatFits() {
    #expect(model().part == .zero..<Milliseconds(60_000))
    #expect(model().fits)
    #expect(model(megabytes: 200).expectedSize <= Bytes(50 << 20))
  }

  @Test func anEndThatGoesTooFarTakesTheOtherAlong() {
    let model = model()
    model.moveEnd(to: 0.9)
    #expect(model.part == Milliseconds(30_000)..<Milliseconds(90_000))
    model.moveStart(to: 0.05)
    #expect(model.part == Milliseconds(5_000)..<Milliseconds(65_000))
    model.move(startTo: 0.9)
    #expect(model.part == Milliseconds(40_000)..<Milliseconds(100_000))
  }

  @Test func nothingOverflowsAndNothingIsEmpty() {
    for (seconds, megabytes): (Int64, Int64) in [(0, 0), (1, 1), (100, 10), (86_400, 900_000)] {
      let model = model(seconds: seconds, megabytes: megabytes)
      for share in [-1, 0, 0.5, 1, 2, .infinity, .nan] {
        model.moveStart(to: share)
        #expect(!model.part.isEmpty)
        model.moveEnd(to: share)
        #expect(!model.part.isEmpty)
        model.move(startTo: share)
        #expect(!model.part.isEmpty)
        #expect(model.length <= max(model.offer.longest, Milliseconds(1)))
      }
    }
  }

  @Test func handlesMoveBySeconds() {
    let model = model()
    model.stepStart(2)
    #expect(model.part.lowerBound == Milliseconds(2_000))
    model.stepEnd(-3)
    #expect(model.part.upperBound == Milliseconds(57_000))
  }
}
