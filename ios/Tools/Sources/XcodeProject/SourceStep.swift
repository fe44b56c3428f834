/// A call that is wrong without another one in the same file: it would raise on a phone, hang, or do
/// nothing.
struct SourceStep: Sendable {
  /// Patterns of code without texts.
  let first: String
  let needed: String
  /// As often as the first; or once.
  let isEach: Bool
  let words: String

  private init(_ first: String, _ needed: String, each isEach: Bool = false, _ words: String) {
    (self.first, self.needed, self.isEach, self.words) = (first, needed, isEach, words)
  }

  static let all = [
    SourceStep(
      #"\.beginConfiguration\(\)"#, #"\.commitConfiguration\(\)"#, each: true,
      "a session is configured and never committed"),
    SourceStep(
      #"\.lockForConfiguration\(\)"#, #"\.unlockForConfiguration\(\)"#, each: true,
      "a device is locked and not unlocked"),
    SourceStep(
      #"\.unlockForConfiguration\(\)"#, #"\.lockForConfiguration\(\)"#, each: true,
      "a device is changed without its lock, which raises"),
    SourceStep(
      #"[lL]ock\.lock\(\)"#, #"[lL]ock\.unlock\(\)"#, each: true, "a lock is taken and not given back"),
    SourceStep(
      #"\.startAccessingSecurityScopedResource\(\)"#, #"\.stopAccessingSecurityScopedResource\(\)"#,
      each: true, "another app's file is opened and never given back"),
    SourceStep(
      #"\.addInput\("#, #"\.canAddInput\("#, each: true, "an input is added without asking, which may raise"),
    SourceStep(
      #"\.addOutput\("#, #"\.canAddOutput\("#, each: true,
      "an output is added without asking, which may raise"),
    SourceStep(
      #"\b(?:writer|reader)\.add\("#, #"\b(?:writer|reader)\.canAdd\("#, each: true,
      "a writer or reader is given what it may refuse, which raises"),
    SourceStep(
      #"\.startWriting\(\)"#, #"\.startSession\(atSourceTime:"#, each: true,
      "a writer has no session: samples raise"),
    SourceStep(
      #"\.expectsMediaDataInRealTime\s*=\s*true"#, #"\.movieFragmentInterval\s*="#,
      "a recording has no fragments: all of it is lost with the app"),
    SourceStep(
      #"\bAVVideoWidthKey:"#, #"\bAVVideoHeightKey:"#, each: true, "an encoder has a width and no height"),
    SourceStep(
      #"\.isVideoMirrored\s*="#, #"\.automaticallyAdjustsVideoMirroring\s*=\s*false"#,
      "mirroring is set while it is automatic, which raises"),
    SourceStep(
      #"\.addPeriodicTimeObserver\("#, #"\.removeTimeObserver\("#, each: true,
      "an observer of time is never removed"),
    SourceStep(
      #"\baddChild\("#, #"\.didMove\(toParent: self\)"#, each: true,
      "a child controller is not told that it has moved"),
    SourceStep(
      #"\.willMove\(toParent: nil\)"#, #"\.removeFromParent\(\)"#, each: true,
      "a child controller leaves and stays a child"),
    SourceStep(
      #"\.didMove\(toParent: self\)"#, #"\baddChild\("#, each: true,
      "a child controller is told that it has moved, and never did"),
    SourceStep(
      #"\bUIWindow\(windowScene:"#, #"\bself\.window\s*="#,
      "a scene does not keep its window: nothing is shown"),
    SourceStep(
      #"\bMainActor\.assumeIsolated\b"#, #"\b(?:queue|using):\s*\.main\b"#, each: true,
      "the main actor is assumed where nothing says so, which stops the app"),
    SourceStep(
      #"UIActivityViewController\(|\.actionSheet\b"#, #"\.popoverPresentationController\b"#,
      "a sheet has no place to come from, which raises on an iPad"),
    SourceStep(
      #"\bregister\(forTaskWithIdentifier:"#, #"\.expirationHandler\s*="#, each: true,
      "background work has no end that the system may ask for"),
    SourceStep(
      #"\bregister\(forTaskWithIdentifier:"#, #"\.setTaskCompleted\("#, each: true,
      "background work never says that it has ended"),
    SourceStep(
      #"\bCADisplayLink\("#, #"\.add\(to:"#, each: true, "a display link is in no run loop"),
    SourceStep(#"\bCADisplayLink\("#, #"\.invalidate\(\)"#, each: true, "a display link never ends"),
    SourceStep(#"\bNWPathMonitor\("#, #"\.start\(queue:"#, each: true, "the network's monitor never starts"),
    SourceStep(
      #"\.batteryLevel\b"#, #"\.isBatteryMonitoringEnabled\s*=\s*true"#, "the battery is read unmonitored"),
    SourceStep(
      #"\.isIdleTimerDisabled\s*=\s*(?!false)"#, #"\.isIdleTimerDisabled\s*=\s*false"#,
      "the screen never sleeps again"),
    SourceStep(
      #"\bASWebAuthenticationSession\("#, #"\bself\.\w+\s*=\s*session\b"#,
      "nobody keeps the browser's session: it ends at once"),
    SourceStep(
      #"\bASAuthorizationAppleIDProvider\("#, #"\.nonce\s*="#,
      "an answer of Apple's may be used again: no nonce"),
    SourceStep(
      #"\bASAuthorizationController\("#, #"\.performRequests\(\)"#, each: true, "Apple is never asked"),
    SourceStep(
      #"\bforKey: kSec\w++(?! as NSString)|\bSecItem\w+\(\s*\w+\s*,"#, #"(?!)"#,
      "the keychain takes types of Core Foundation: as NSString, as CFDictionary"),
    SourceStep(
      #"\bSecItemAdd\("#, #"\bkSecAttrAccessible\b"#,
      "what the keychain takes is readable only while the device is unlocked"),
    SourceStep(
      #"\bAVAssetImageGenerator\("#, #"\.appliesPreferredTrackTransform\s*=\s*true|\.videoComposition\s*="#,
      "pictures of a video lie on their side"),
    SourceStep(
      #"\bAVAssetExportSession\("#, #"\bmetadataItemFilter\s*="#,
      "an export takes along where the video was recorded"),
    SourceStep(
      #"\bwithObservationTracking\b"#, #"\bonChange:"#, each: true, "changes are tracked and nobody hears"),
    SourceStep(
      #"\b_ = (?:[A-Z]\w*|[\w.]*\.observe)\("#, #"(?!)"#,
      "what is made is thrown away at once: it has to be kept"),
    SourceStep(
      #"\b\w+\.(?:leading|trailing|top|bottom|width|height|centerX|centerY)Anchor\.constraint\("#,
      #"\.translatesAutoresizingMaskIntoConstraints\s*=\s*false"#,
      "constraints fight with those of the autoresizing mask"),
  ]
}
