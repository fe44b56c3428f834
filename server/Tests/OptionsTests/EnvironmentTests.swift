import Testing

@testable import Options

/// What a process tells another that it starts.
@Suite struct EnvironmentTests {
  @Test func theOtherProcessIsToldTheSameByItsEnvironment() throws {
    let said = ConfigurationOptions.environment(
      saying: [
        "serve", "--data", "old", "--s3-bucket=clips", "--data", "new", "--config", "c.yml", "--database", "",
        "--demo", "--", "--web", "x",
      ], over: ["CLIPFEED_DATA": "no", "CLIPFEED_S3_SECRET_KEY": "s", "HOME": "/"])
    #expect(
      said == [
        "CLIPFEED_DATA": "new", "CLIPFEED_S3_BUCKET": "clips", "CLIPFEED_CONFIG": "c.yml",
        "CLIPFEED_DATABASE": "", "CLIPFEED_S3_SECRET_KEY": "s", "HOME": "/",
      ])
  }
}
