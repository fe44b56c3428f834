import Testing

@testable import XcodeProject

@Suite struct SourceRulesTests {
  private let callbacks = DeclaredCallbacks([
    """
    @_Concurrency.MainActor public protocol BaseDelegate : Foundation.NSObjectProtocol {
      /// objc: began
      func thing(_ thing: Thing, began time: Swift.Int)
    }
    public protocol ThingDelegate : BaseDelegate {
      func thingEnded(_ thing: Thing)
      func thing(_ thing: Thing, ask handler: @escaping (Swift.Bool) -> Swift.Void)
    }
    open class Thing : Foundation.NSObject {
      weak open var delegate: (any Things.ThingDelegate)? { get set }
    }
    public protocol FrameDelegate : Foundation.NSObjectProtocol {
    }
    open class Output : Foundation.NSObject {
      open func setFrames(_ delegate: (any FrameDelegate)?, queue: Dispatch.DispatchQueue?)
    }
    """
  ])

  private func faults(_ code: String, elsewhere: String = "") -> [String] {
    SourceRules(
      [
        .init(path: "A", code: code, isChecked: true), .init(path: "B", code: elsewhere, isChecked: false),
      ], callbacks: callbacks
    ).faults
  }

  @Test func readsWhatFrameworksCall() {
    #expect(
      callbacks.methods["ThingDelegate"] == ["thing(_:began:)", "thing(_:ask:)", "thingEnded(_:)"])
    #expect(callbacks.places["ThingDelegate"] == ["delegate"])
    #expect(callbacks.places["FrameDelegate"] == ["setFrames"])
  }

  private let whole = """
    final class Owner: NSObject, ThingDelegate {
      init() { thing.delegate = self }
      func thing(_ thing: Thing, began time: Int) { print(time) }
      nonisolated func thing(_ thing: Thing, ask handler: @escaping (Bool) -> Void) { handler(true) }
    }
    """

  @Test func findsNothingInWhatIsRight() {
    #expect(faults(whole) == [])
  }

  @Test(arguments: [
    ("began time", "begun time"), ("ask handler", "asks handler"), ("handler(true)", "print(1)"),
    ("thing.delegate = self", ""), ("thing.delegate = self", "if thing.delegate == self {}"),
    ("func thing(_ thing: Thing, began", "func thingBegan(_ thing: Thing, began"),
  ])
  func seesAMistakeInADelegate(old: String, new: String) {
    #expect(faults(whole.replacing(old, with: new)).count == 1)
  }

  @Test func anObjectMayBeItsOwnDelegate() {
    #expect(faults(whole.replacing("thing.delegate", with: "delegate")) == [])
  }

  @Test func eachDelegateIsGivenByItself() {
    let code = "extension Owner: FrameDelegate {}\nlet a = output.setFrames(self, queue: queue)"
    #expect(faults(code) == [])
    #expect(faults("extension Owner: FrameDelegate, ThingDelegate {}\noutput.setFrames(self)").count == 1)
  }

  @Test func whatNobodyCallsIsTold() {
    #expect(faults("func lonely() {}") == ["A: nobody calls lonely()"])
    #expect(faults("func lonely() {}", elsewhere: "owner.lonely()") == [])
    #expect(faults("func thingEnded() {}") == [])
  }

  @Test func superIsCalledWhereUIKitCountsOnIt() {
    #expect(faults("override func viewDidLoad() { build() }").count == 1)
    #expect(faults("override func viewDidLoad() { super.viewDidLoad() }") == [])
    #expect(faults("override func hitTest(_ point: CGPoint) -> UIView? { nil }") == [])
  }

  @Test func aStateHasAValueOfItsOwn() {
    #expect(faults("struct A {\n  @State private var model: Model\n}").count == 1)
    #expect(faults("struct A {\n  @State private var model: Model?\n}") == [])
    #expect(faults("struct A {\n  @State private var isOn = false\n}") == [])
    #expect(
      faults("struct A {\n  @State private var m: M\n  init() { _m = State(initialValue: M()) }\n}") == [])
  }

  @Test func aContinuationIsResumed() {
    let right = "func a() async { await withCheckedContinuation { done in ask { done.resume() } } }\n"
    #expect(faults(right, elsewhere: "a()") == [])
    #expect(faults(right + right.replacing("done.resume()", with: "_ in")).count == 1)
    #expect(faults(right.replacing("done in", with: "(done: C<Void>) in"), elsewhere: "a()") == [])
  }

  @Test func aPictureHasAName() {
    let button = "Button(action: act) {\n  Image(systemName: \u{1}).font(.title2)\n}\n.disabled(isBusy)\n"
    #expect(faults(button).count == 1)
    #expect(faults(button + ".accessibilityLabel(send)\n") == [])
  }

  @Test(arguments: [
    "session.beginConfiguration()", "try device.lockForConfiguration()", "device.unlockForConfiguration()",
    "lock.lock()", "session.addInput(a)",
    "writer.startWriting()", "connection.isVideoMirrored = true", "addChild(a)",
    "controller.didMove(toParent: self)", "let window = UIWindow(windowScene: scene)",
    "MainActor.assumeIsolated { act() }", "UIActivityViewController(activityItems: [url])",
    "link = CADisplayLink(target: a); link.invalidate()", "let monitor = NWPathMonitor()",
    "UIDevice.current.batteryLevel", "UIApplication.shared.isIdleTimerDisabled = isAwake",
    "SecItemUpdate(query, nil)", "SecItemAdd(a as CFDictionary, nil)",
    "query.setObject(a, forKey: kSecClass)",
    "_ = TimeObservation(player)", "_ = item.observe(status)",
    "a.topAnchor.constraint(equalTo: b.topAnchor)", "input.expectsMediaDataInRealTime = true",
    "[AVVideoWidthKey: 1]", "let session = ASWebAuthenticationSession(url: url)",
    "let generator = AVAssetImageGenerator(asset: asset)", "player.addPeriodicTimeObserver(a)",
    "let export = AVAssetExportSession(asset: asset)",
  ])
  func aStepAloneIsAMistake(code: String) {
    #expect(faults(code).count == 1)
  }

  @Test(arguments: [
    "session.beginConfiguration(); defer { session.commitConfiguration() }", "lock.lock(); lock.unlock()",
    "guard session.canAddInput(a) else { return }; session.addInput(a)",
    "addObserver(queue: .main) { _ in MainActor.assumeIsolated { act() } }",
    "query.setObject(a, forKey: kSecClass as NSString); SecItemUpdate(query as CFDictionary, b)",
    "self.window = UIWindow(windowScene: scene)", "_ = field.becomeFirstResponder()",
    "input.expectsMediaDataInRealTime = false", "UIApplication.shared.isIdleTimerDisabled = false",
  ])
  func aStepWithItsOtherOneIsRight(code: String) {
    #expect(faults(code) == [])
  }

  @Test func readsFunctions() {
    let all = SourceFunction.all(
      in:
        "@objc private func a<T>(_ b: [String: (Int) -> T], c d: Int) -> Int { { 1 }() }\nfunc e()\nvar f: Int { 1 }"
    )
    #expect(all.map(\.name) == ["a(_:c:)", "e()"])
    #expect(all[0].parameters[0] == .init(label: "_", name: "b", type: " [String: (Int) -> T]"))
    #expect(all[0].body == " { 1 }() ")
    #expect(all[0].has("private") && all[0].has("@objc"))
  }
}
