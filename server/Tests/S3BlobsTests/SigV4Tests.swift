import Foundation
import Platform
import Testing

@testable import S3Blobs

/// Requests and signatures as Amazon publishes them: "Signature Calculations for the Authorization Header"
/// and "Authenticating Requests: Using Query Parameters" of the Amazon S3 API Reference
/// (docs.aws.amazon.com/AmazonS3/latest/API, sig-v4-header-based-auth and sigv4-query-string-auth), and cases
/// of the Signature Version 4 test suite.
@Suite struct SigV4Tests {
  private static let s3 = SigV4(
    credentials: .init(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  private static let host: SigV4.Pair = ("host", "examplebucket.s3.amazonaws.com")
  private static let nothing = ContentHash.of(Data())
  /// 2013-05-24T00:00:00Z
  private static let may: Int64 = 1_369_353_600_000

  private func signature(_ request: SigV4.Request, _ hash: String = nothing) -> String? {
    let headers = Self.s3.signed(request, payloadHash: hash, at: Self.may)
    return headers.first { $0.name == "authorization" }?.value.components(separatedBy: "Signature=").last
  }

  @Test func aRangeOfAnObject() {
    let request = SigV4.Request(
      method: "GET", path: "/test.txt", headers: [Self.host, ("range", "bytes=0-9")])
    #expect(signature(request) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    let headers = Self.s3.signed(request, payloadHash: Self.nothing, at: Self.may)
    #expect(
      headers.last?.value.hasPrefix(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
          + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=") == true)
  }

  @Test func anObjectThatIsPut() {
    let request = SigV4.Request(
      method: "PUT", path: "/" + SigV4.encoded("test$file.text"),
      headers: [
        Self.host, ("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ])
    #expect(
      signature(request, ContentHash.of(Data("Welcome to Amazon S3.".utf8)))
        == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func aQueryWithoutAValue() {
    let request = SigV4.Request(method: "GET", path: "/", query: [("lifecycle", "")], headers: [Self.host])
    #expect(signature(request) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
  }

  @Test func aListing() {
    let request = SigV4.Request(
      method: "GET", path: "/", query: [("prefix", "J"), ("max-keys", "2")], headers: [Self.host])
    #expect(signature(request) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
  }

  @Test func anAddressThatIsHandedOut() {
    let request = SigV4.Request(method: "GET", path: "/test.txt", headers: [Self.host])
    #expect(
      Self.s3.presignedQuery(request, seconds: 86400, at: Self.may)
        == "X-Amz-Algorithm=AWS4-HMAC-SHA256"
        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
        + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test func aTokenIsSignedWithTheRest() {
    var signer = Self.s3
    let request = SigV4.Request(method: "GET", path: "/test.txt", headers: [Self.host])
    let without = signer.presignedQuery(request, seconds: 60, at: Self.may)
    signer = SigV4(
      credentials: .init(accessKey: "A", secretKey: "B", sessionToken: "to/ken"), region: "us-east-1")
    let headers = signer.signed(request, payloadHash: Self.nothing, at: Self.may)
    #expect(headers.contains { $0 == ("x-amz-security-token", "to/ken") })
    #expect(headers.last?.value.contains("x-amz-date;x-amz-security-token,") == true)
    let query = signer.presignedQuery(request, seconds: 60, at: Self.may)
    #expect(query.contains("&X-Amz-Security-Token=to%2Fken&"))
    #expect(!without.contains("Token"))
  }

  @Test func theSecretIsNeverPrinted() throws {
    let bucket = try S3Bucket(name: "clips", accessKey: "AKIA", secretKey: "hush-hush")
    #expect(!"\(bucket)".contains("hush"))
    #expect(!"\(bucket.signer.credentials)".contains("hush"))
    var dumped = ""
    dump(bucket.signer.credentials, to: &dumped)
    #expect(!dumped.contains("hush"))
  }
}

@Suite struct S3SettingsTests {
  private func bucket(
    _ endpoint: String?, _ name: String = "clips", region: String = "eu-1", style: S3Bucket.Style? = nil,
    prefix: String = "", key: String = "A", secret: String = "B"
  ) throws -> S3Bucket {
    try S3Bucket(
      endpoint: endpoint, name: name, region: region, style: style, prefix: prefix, accessKey: key,
      secretKey: secret)
  }

  @Test func addressesAreMadeInBothStyles() throws {
    let amazon = try bucket(nil)
    #expect(amazon.origin + amazon.path("a b/c+d") == "https://clips.s3.eu-1.amazonaws.com/a%20b/c%2Bd")
    #expect(amazon.path(nil) == "/")
    let own = try bucket("http://storage:9000/", prefix: "/one//two/").under("media")
    #expect(own.origin + own.path("x") == "http://storage:9000/clips/x")
    #expect(own.path(nil) == "/clips")
    #expect(own.prefix == "one/two/media/")
    // The scheme's own port is not part of the host that is signed.
    #expect(try bucket("https://storage:443").origin == "https://storage")
  }

  @Test func whatCannotBeUsedIsRefused() {
    for endpoint in ["storage", "ftp://a", "http://a/path", "http://u:p@a", "http://", "http://a?x"] {
      #expect(throws: S3Bucket.Invalid.self, "\(endpoint)") { try bucket(endpoint) }
    }
    for name in ["", "ab", "Clips", "a/b", "a b c"] {
      #expect(throws: S3Bucket.Invalid.self, "\(name)") { try bucket(nil, name) }
    }
    #expect(throws: S3Bucket.Invalid.self) { try bucket(nil, prefix: "a/../b") }
    #expect(throws: S3Bucket.Invalid.self) { try bucket(nil, region: "a\r\nb") }
    #expect(throws: S3Bucket.Invalid.self) { try bucket(nil, secret: "a\r\nb") }
    #expect(throws: S3Bucket.Invalid.self) { try bucket(nil, key: "") }
  }

  @Test(
    arguments: [
      (0, "19700101T000000Z"), (951_782_400_000, "20000229T000000Z"), (1_369_353_600_999, "20130524T000000Z"),
      (4_107_542_399_000, "21000228T235959Z"), (-1, "19691231T235959Z"),
    ] as [(Int64, String)])
  func aTimeIsWrittenAsItIsSigned(_ ms: Int64, _ text: String) { #expect(Timestamps.basic(ms) == text) }

  @Test func timesOfListingsAndHeadersAreRead() {
    #expect(Timestamps.iso("2013-05-24T00:00:00.000Z") == 1_369_353_600_000)
    #expect(Timestamps.iso("2000-02-29T00:00:01Z") == 951_782_401_000)
    #expect(Timestamps.http("Fri, 24 May 2013 00:00:00 GMT") == 1_369_353_600_000)
    for text in ["", "Z", "2013-13-24T00:00:00Z", "2013-05-24", "now", "2013-05-24T00:00:00.000"] {
      #expect(Timestamps.iso(text) == nil, "\(text)")
      #expect(Timestamps.http(text) == nil, "\(text)")
    }
  }

  @Test func listingsAreReadAndAnythingOddIsRefused() throws {
    let page = try XMLElement(
      Array(
        """
        <?xml version='1.0'?><!-- x --><s3:List xmlns:s3="http://s3"><Key>a&amp;b&#x41;&#66;</Key><E/>
        <Key><![CDATA[<c>]]></Key></s3:List>
        """.utf8))
    #expect(page.name == "List")
    #expect(page.all("Key").map(\.text) == ["a&bAB", "<c>"])
    #expect(page["E"] == "")
    let bad = [
      "", "<a>", "<a></b>", "</a>", "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
      "<a>&b;</a>", "<a>&#xFFFFFFFF;</a>", "<a>&amp</a>", "<", "<a", "<![CDATA[x]]>", "<>", "< a></ a>",
      String(repeating: "<a>", count: 100), "\u{0}\u{1}",
    ]
    for text in bad {
      #expect(throws: XMLElement.Malformed.self, "\(text.prefix(20))") { try XMLElement(Array(text.utf8)) }
    }
  }
}
