import AsyncHTTPClient
import Configured
import Contract
import Foundation
import NIOCore
import NIOHTTP1
import Platform
import Testing

@testable import Composition
@testable import Options
@testable import PlatformTesting
@testable import S3Blobs
@testable import ServerTesting

/// A whole instance on a bucket: what is taken in, converted and delivered.
@Suite struct S3DeliveryTests {
  private static let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256) })

  private func withBlob(
    _ delivery: Storage.Delivery, _ ext: String = "mp4",
    _ body: @escaping @Sendable (SocketTransport, String) async throws -> Void
  ) async throws {
    let bench = try await TestInstance(storage: .bucket(try S3Server.bucket(), delivery))
    let name = try await bench.instance.media.put(Self.content, ext: ext, in: bench.folder)
    try await bench.instance.publish(name)
    try await bench.serving { try await body($0, "/media/\(name)") }
  }

  @Test func aProxyAnswersAsIfTheFilesWereItsOwn() async throws {
    try await withBlob(.proxy) { transport, url async throws in
      let whole = try await transport.send(WireRequest("GET", url))
      #expect(whole.status == 200)
      #expect(whole.body == Self.content)
      #expect(whole.headers["cache-control"] == "public, max-age=31536000, immutable")
      for (header, range) in [
        ("bytes=0-99", 0..<100), ("bytes=-10", 699_990..<700_000), ("bytes=100000-599999", 100_000..<600_000),
      ] {
        let part = try await transport.send(WireRequest("GET", url, headers: ["range": header]))
        #expect(part.status == 206)
        #expect(part.body == Self.content[range])
        #expect(part.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/700000")
      }
      let behind = try await transport.send(WireRequest("GET", url, headers: ["range": "bytes=700000-"]))
      #expect(behind.status == 416)
    }
  }

  @Test func aRedirectLeadsToTheSameBytesInTheBucket() async throws {
    try await withBlob(.redirect) { transport, url async throws in
      let answer = try await transport.send(WireRequest("GET", url, headers: ["range": "bytes=5-9"]))
      #expect(answer.status == 302)
      #expect(answer.body.isEmpty)
      #expect(answer.headers["cache-control"] == "public, max-age=300")
      var request = HTTPClientRequest(url: try #require(answer.headers["location"]))
      request.headers.add(name: "range", value: "bytes=5-9")
      request.headers.add(name: "origin", value: "https://clips.example")
      let response = try await S3Server.execute(request)
      #expect(response.status == .partialContent)
      #expect(response.headers.first(name: "access-control-allow-origin") == "*")
      // The page looks at it before it believes a range.
      let readable = response.headers.first(name: "access-control-expose-headers")?.lowercased()
      #expect(readable?.contains("content-range") == true)
      #expect(try await Data(response.body.collect(upTo: 100).readableBytesView) == Self.content[5..<10])
    }
  }

  @Test(arguments: Storage.Delivery.allCases)
  func whatNeedsNoBytesIsAnsweredHere(_ delivery: Storage.Delivery) async throws {
    try await withBlob(delivery) { transport, url async throws in
      let head = try await transport.send(WireRequest("HEAD", url))
      #expect(head.status == 200)
      #expect(head.headers["content-length"] == "700000")
      #expect(head.headers["content-type"] == "video/mp4")
      let known = ["if-none-match": try #require(head.headers["etag"])]
      #expect(try await transport.send(WireRequest("GET", url, headers: known)).status == 304)
      let missing = "/media/\(ContentHash.of(Data("never".utf8))).mp4"
      #expect(try await transport.send(WireRequest("GET", missing)).status == 404)
      #expect(try await transport.send(WireRequest("GET", "/readyz")).status == 200)
    }
  }

  @Test func anAddressOfTheBucketEndsBeforeTheSealThatLedThere() async throws {
    let bench = try await TestInstance(storage: .bucket(try S3Server.bucket(), .redirect))
    let url = try await bench.makeClip("a.mp4", seconds: 0.5, size: "64x96", sound: false)
    let file = try Data(contentsOf: url)
    // The last of its hours begins, and then its last minute.
    let time = TestTime(ms: 1_800_000_000_000)
    try await bench.serving(time: time) { [bench] transport async throws in
      let upload = try await UploadRequests.publish(file, .private, on: bench, transport)
      let clip = try await Client(transport: transport).clip(ofUpload: upload.id)
      #expect(try await transport.send(WireRequest("GET", clip.playback.hlsUrl)).status == 200)
      for (left, longest) in [(7200, 1200), (60, 60), (3, 3)] {
        time.advance(ms: 1_800_007_200_000 - time.nowMs - Int64(left) * 1000)
        let answer = try await transport.send(WireRequest("GET", clip.playback.renditions[0].url))
        #expect(answer.status == 302)
        #expect(answer.headers["cache-control"] == "private, max-age=\(longest / 4)")
        let parts = URLComponents(string: try #require(answer.headers["location"]))?.queryItems
        let seconds = parts?.first { $0.name == "X-Amz-Expires" }?.value.flatMap { Int($0) }
        #expect(try #require(seconds) <= longest)
      }
      // Too late for another address, and early enough for the bytes.
      time.advance(ms: 2000)
      #expect(try await transport.send(WireRequest("GET", clip.playback.renditions[0].url)).status == 200)
    }
  }

  /// Their addresses are relative to where they came from.
  @Test(arguments: ["m3u8", "vtt"])
  func aTextThatNamesOthersIsNeverRedirected(_ ext: String) async throws {
    try await withBlob(.redirect, ext) { transport, url async throws in
      let answer = try await transport.send(WireRequest("GET", url))
      #expect(answer.status == 200)
      #expect(answer.body == Self.content)
    }
  }

  @Test func thePageMayLoadFromTheBucketOnlyIfItIsSentThere() async throws {
    for delivery in Storage.Delivery.allCases {
      let bucket = try S3Server.bucket()
      let bench = try await TestInstance(storage: .bucket(bucket, delivery))
      try Data("<!doctype html>".utf8).write(to: bench.folder.appendingPathComponent("index.html"))
      let page = try await bench.serving { try await $0.send(WireRequest("GET", "/")) }
      let policy = try #require(page.headers["content-security-policy"])
      #expect(policy.contains("connect-src 'self' \(bucket.origin);") == (delivery == .redirect))
      #expect(!policy.contains("script-src 'self' 'wasm-unsafe-eval' http"))
    }
  }

  @Test func aClipIsConvertedAndPlayedWithoutAFileInTheDataFolder() async throws {
    let bucket = try S3Server.bucket()
    let bench = try await TestInstance(storage: .bucket(bucket, .proxy))
    let clip = try await bench.makeClip("clip.mp4", seconds: 0.5, size: "64x96", sound: false)
    let id = try await bench.take(clip)
    try await bench.serving { transport async throws in
      let client = Client(transport: transport)
      let playback = try await client.clip(id).playback
      let rendition = try #require(playback.renditions.first)
      let segment = try #require(rendition.segments.last)
      let whole = try await transport.send(WireRequest("GET", rendition.url))
      #expect(whole.body.count == segment.offset + segment.size)
      #expect(try await transport.send(WireRequest("GET", playback.hlsUrl)).status == 200)
    }
    // The source has done its duty.
    #expect(try await bench.instance.sources.list(after: nil, limit: 10).isEmpty)
    #expect(try await bench.instance.media.list(after: nil, limit: 10).count >= 4)
    let left = try FileManager.default.contentsOfDirectory(atPath: bench.instance.folder.path)
    #expect(!left.contains("media") && !left.contains("sources"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.instance.workFolder.path).isEmpty)
  }

  @Test func theDoctorLooksAtTheBucketAndNeverPrintsAKey() async throws {
    let bench = try await TestInstance()
    let secret = try S3Server.setting("SECRET_KEY")
    var environment = [
      "CLIPFEED_S3_BUCKET": try S3Server.setting("BUCKET"), "CLIPFEED_S3_SECRET_KEY": secret,
      "CLIPFEED_S3_ENDPOINT": try S3Server.setting("ENDPOINT"),
      "CLIPFEED_S3_ACCESS_KEY": try S3Server.setting("ACCESS_KEY"),
      "CLIPFEED_S3_PREFIX": UUID().uuidString,
    ]
    let arguments = ["doctor", "--data", bench.instance.folder.path]
    let good = try Program(arguments, environment: environment).end()
    #expect(good.output.contains("ok    bucket: bucket \(environment["CLIPFEED_S3_BUCKET"]!) at http://"))
    environment["CLIPFEED_S3_BUCKET"] = "no-such-bucket"
    let bad = try Program(arguments, environment: environment).end()
    #expect(bad.status == 1)
    #expect(bad.output.contains("FAIL  bucket: There is no bucket no-such-bucket at http://"))
    #expect(!(good.output + bad.output).contains(secret))
  }
}
