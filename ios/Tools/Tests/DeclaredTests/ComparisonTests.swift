import Declared
import Testing

@Suite struct ComparisonTests {
  static let facts = Facts(
    text: """
      class\tNSObject\t-\t-\t-\tom
      class\tAVPlayer\tNSObject\tmain\t-\tom
      method\tAVPlayer\t-\treplaceCurrentItemWithPlayerItem:\tAVPlayerItem?\tvoid\t-\tom\t-
      method\tAVPlayer\t-\trate\t-\tFloat\t-\tom\t-
      method\tAVPlayer\t-\tsetRate:\tFloat\tvoid\t-\tom\t-
      method\tAVPlayer\t-\tisNew\t-\tBool\t26.0\tom\t-
      protocol\tWatching\t-\t-\t-\to
      method\tWatching\t-\tdidSee:\tBool\tvoid\t-\to\t-
      method\tWatching\t-\tdidMiss:\tBool\tvoid\t-\to\toptional
      """)

  func faults(_ members: String) -> [String] {
    let text = """
      /// objc: AVPlayer
      @_Concurrency.MainActor open class AVPlayer : Foundation.NSObject {
      \(members)
      }
      """
    let file = DeclarationFile(name: "AVFoundation", text: text)
    return file.faults.map(\.message) + Comparison(file.declarations, facts: Self.facts).faults.map(\.message)
  }

  @Test func agreesWithWhatIsRight() {
    #expect(
      faults(
        """
        /// objc: replaceCurrentItemWithPlayerItem:
        nonisolated open func replaceCurrentItem(with item: AVPlayerItem?)
        /// objc: rate setRate:
        nonisolated open var rate: Swift.Float { get set }
        """) == [])
  }

  @Test(arguments: [
    ("open var rate: Swift.Float { get }", "no tag"),
    ("/// objc: rote\nopen var rote: Swift.Float { get }", "no selector"),
    ("/// objc: rate\nopen var rate: Swift.Double { get }", "is Float, not Double"),
    ("/// objc: rate\nopen var rate: Swift.Float { get set }", "names its setter"),
    (
      "/// objc: replaceCurrentItemWithPlayerItem:\nopen func replaceCurrentItem(with item: AVPlayerItem)",
      "AVPlayerItem?"
    ),
    (
      "/// objc: replaceCurrentItemWithPlayerItem:\nopen func replaceCurrentItem(by item: AVPlayerItem?)",
      "\"by\""
    ),
    ("/// objc: replaceCurrentItemWithPlayerItem:\nopen func replaceCurrentItem()", "1 arguments expected"),
    ("/// objc: isNew\nopen var isNew: Swift.Bool { get }", "there since iOS 26.0"),
    ("/// objc: rate\nopen class var rate: Swift.Float { get }", "belongs to an instance"),
    ("/// doc: somewhere\nopen var rate: Swift.Float { get }", "a page is"),
  ]) func reports(member: String, fault: String) {
    #expect(faults(member).count { $0.contains(fault) } == 1)
  }

  @Test func knowsWhoseThreadAClassIsFor() {
    let file = DeclarationFile(
      name: "AVFoundation", text: "/// objc: AVPlayer\nopen class AVPlayer : Foundation.NSObject { }")
    #expect(
      Comparison(file.declarations, facts: Self.facts).faults.map(\.message)
        == ["AVPlayer AVPlayer: is for the main thread alone"])
  }

  @Test func missesWhatAProtocolRequires() {
    let file = DeclarationFile(
      name: "AVKit",
      text: """
        /// objc: Watching
        public protocol Watching {
        /// objc: didMiss:
        func didMiss(_ yes: Swift.Bool)
        }
        """)
    #expect(
      Comparison(file.declarations, facts: Self.facts).faults.map(\.message) == [
        "Watching didMiss: is optional: it needs a default", "Watching Watching: requires didSee:",
      ])
  }
}
