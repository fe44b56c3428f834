import Contract
import CoreTypes
import Foundation
import Playback
import Testing
import Upload

@testable import Transfer

@Suite struct UploadFormTests {
  @Test func tagsAreTheWordsOfALineEachOnce() {
    let form = UploadForm(tags: "#Dawn, pier;dawn  Straße! 夜明け _x " + String(repeating: "a", count: 51))
    #expect(form.tagWords == ["dawn", "pier", "straße", "夜明け", "_x"])
    #expect(UploadForm(tags: (0..<40).map { "t\($0)" }.joined(separator: " ")).tagWords.count == 30)
  }

  @Test func aCaptionIsCountedAsPeopleDo() {
    #expect(UploadForm(caption: "  \n👩‍👩‍👧‍👧 x ").trimmedCaption == "👩‍👩‍👧‍👧 x")
    #expect(UploadForm(caption: String(repeating: "é", count: 300)).fits)
    #expect(UploadForm(caption: String(repeating: "é", count: 301)).charactersLeft == -1)
    #expect(!UploadForm(caption: "a" + String(repeating: "\u{301}", count: 1_501)).fits)
  }

  @Test func onlyWhatDiffersIsTold() {
    let form = UploadForm(caption: "Dawn", visibility: .unlisted)
    #expect(form.patch(of: form.details) == nil)
    var known = form.details
    known.visibility = .public
    #expect(form.patch(of: known) == ClipDetails(visibility: .unlisted))
    #expect(UploadForm(coverMs: -5).details.coverMs == 0)
  }
}

@Suite struct RefusedTests {
  private func failure(_ code: ErrorCode, _ headers: [String: String] = [:]) throws -> Upload.Failure {
    var response = try MemoryServer.problem(code)
    response.headers = headers
    return Refused(response).failure
  }

  @Test func codesMeanWhatTheDesignSays() throws {
    #expect(try failure(.uploadOffsetMismatch, ["upload-offset": "7"]) == .init(.offsetMismatch, detail: 7))
    #expect(try failure(.uploadOffsetMismatch, ["upload-offset": "-7"]) == .init(.offsetMismatch, detail: -1))
    #expect(try failure(.uploadClosed) == .init(.offsetMismatch, detail: -1))
    #expect(try failure(.uploadExpired) == .init(.gone))
    #expect(try failure(.uploadHashMismatch) == .init(.hashMismatch))
    #expect(try failure(.signInNeeded) == .init(.signInNeeded))
    #expect(
      try failure(.uploadQuota, ["retry-after": "9"])
        == .init(.tooManyRequests, retryAfter: Milliseconds(9_000)))
    #expect(try failure(.unavailable).reason == .serverBusy)
    let rejected = try failure(.uploadsOff)
    #expect(rejected.reason == .rejected)
    #expect(Refused.code(of: Int32(rejected.detail)) == .uploadsOff)
    #expect(Refused.code(of: 0) == nil)
    #expect(Refused.code(of: .max) == nil)
  }

  @Test(arguments: [
    (200, Upload.Reason.serverBusy), (302, .serverBusy), (401, .signInNeeded), (404, .rejected), (410, .gone),
    (413, .rejected), (429, .tooManyRequests), (502, .serverBusy), (507, .storageFull),
  ]) func whatStandsBeforeTheServerIsToldByItsStatus(status: Int, reason: Upload.Reason) {
    let page = WireResponse(status: status, headers: [:], body: Data("<html>".utf8))
    #expect(Refused(page).failure.reason == reason)
  }

  @Test func retryAfterMayBeADateAndIsBounded() {
    let now = Date(timeIntervalSince1970: 1_445_412_480)
    let answer = { WireResponse(status: 503, headers: ["retry-after": $0], body: Data()) }
    #expect(Refused.retryAfter(answer("Wed, 21 Oct 2015 07:28:30 GMT"), now) == Milliseconds(30_000))
    #expect(Refused.retryAfter(answer("9223372036854775807"), now) == Milliseconds(86_400_000))
    #expect(Refused.retryAfter(answer("-1"), now) == .zero)
    #expect(Refused.retryAfter(answer("soon"), now) == .zero)
  }
}

@Suite struct PreparingTests {
  @Test func aSuggestedPartFits() {
    for (seconds, megabytes): (Int64, Int64) in [(90, 20), (61, 51), (10, 400), (3_600, 2_000)] {
      let offer = TrimOffer(
        file: URL(filePath: "/f"), duration: Milliseconds(seconds * 1_000), size: Bytes(megabytes << 20),
        longest: Milliseconds(60_000), largest: Bytes(50 << 20))
      #expect(offer.fits(offer.suggestion), "\(seconds) s, \(megabytes) MB")
      #expect(!offer.fits(.zero..<offer.duration))
    }
  }

  @Test func kindsAreToldByTheFirstBytes() {
    func kind(_ text: String) -> SourceFile.Kind { FileKind.of([0, 0, 0, 24] + Array(text.utf8)) }
    #expect(kind("ftypisom") == .mp4)
    #expect(kind("ftyp3gp4") == .threeGP)
    #expect(kind("ftypheic") == .unknown)
    #expect(kind("moov\0\0\0\0") == .mp4)
    #expect(kind("free") == .unknown)
    #expect(FileKind.of([0x1a, 0x45, 0xdf, 0xa3]) == .webm)
    #expect(FileKind.of([]) == .unknown)
    var stream = [UInt8](repeating: 0, count: 600)
    for index in 0..<3 { stream[index * 188] = 0x47 }
    #expect(FileKind.of(stream) == .mpegTS)
  }
}

@MainActor @Suite struct RunningClockTests {
  @Test func sleepIsNobodysSilence() {
    let source = BedsideClock()
    let clock = RunningClock(source)
    source.advance(Milliseconds(900))
    #expect(clock.now == Instant(900))
    source.advance(Milliseconds(600_000))
    #expect(clock.now == Instant(3_900))
  }

  @Test func itRingsAfterSoMuchTimeAwake() {
    let source = BedsideClock()
    let clock = RunningClock(source)
    var rings = 0
    clock.wake(at: Instant(3_500)) { rings += 1 }
    for _ in 0..<3 { source.ring() }
    #expect(rings == 0)
    source.ring()
    #expect(rings == 1)
    #expect(clock.now == Instant(3_500))
  }
}
