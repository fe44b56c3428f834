import S3Blobs
import Testing

@testable import Composition
@testable import Configured
@testable import Options

@Suite struct StorageOptionsTests {
  private static let keys = ["CLIPFEED_S3_ACCESS_KEY": "A", "CLIPFEED_S3_SECRET_KEY": "hush"]

  @Test func withoutABucketMediaAreFiles() throws {
    for environment in [[:], Self.keys, ["CLIPFEED_S3_BUCKET": ""]] {
      #expect(try Storage([:], Configured(environment: environment)) == .folders)
    }
  }

  @Test func anOptionCountsMoreThanTheEnvironment() throws {
    let environment = Self.keys.merging([
      "CLIPFEED_S3_BUCKET": "theirs", "CLIPFEED_S3_ENDPOINT": "http://storage:9000",
      "CLIPFEED_S3_DELIVERY": "redirect", "CLIPFEED_S3_PREFIX": "a/b",
    ]) { $1 }
    guard
      case .bucket(let bucket, .redirect, .proxy) = try Storage(
        [.s3Bucket: "mine", .s3Style: "path"], Configured(environment: environment))
    else {
      Issue.record("no bucket")
      return
    }
    #expect(bucket.description == "bucket mine at http://storage:9000, under a/b/")
  }

  @Test(arguments: [
    ["CLIPFEED_S3_ENDPOINT": "http://storage"], ["CLIPFEED_S3_BUCKET": "clips"],
    ["CLIPFEED_S3_BUCKET": "clips", "CLIPFEED_S3_STYLE": "hash"],
    ["CLIPFEED_S3_BUCKET": "clips", "CLIPFEED_S3_DELIVERY": "mail"],
    ["CLIPFEED_S3_BUCKET": "clips", "CLIPFEED_S3_UPLOADS": "mail"], ["CLIPFEED_S3_UPLOADS": "direct"],
    ["CLIPFEED_S3_BUCKET": "clips", "CLIPFEED_S3_ENDPOINT": "storage"],
  ])
  func whatCannotBeMeantIsRefusedInASentenceWithoutKeys(_ settings: [String: String]) {
    let environment = settings.count == 1 ? settings : settings.merging(Self.keys) { $1 }
    do {
      _ = try Storage([:], Configured(environment: environment))
      Issue.record("\(settings) was taken")
    } catch {
      #expect("\(error)".hasSuffix(".") || "\(error)".hasSuffix(".\")"), "\(error)")
      #expect(!"\(error)".contains("hush"))
    }
  }
}
