import Foundation

/// What the app's property lists have to say, since its code does something that the system allows or calls
/// for by them alone.
struct AppClaims {
  var faults: [String] = []
  private let info: [String: Any]
  private let entitlements: [String: Any]
  private let privacy: [String: Any]
  /// Of all sources, without texts.
  private let code: String

  /// `identifiers`: of background tasks that the sources ask for, without the app's own.
  init(
    info: [String: Any], entitlements: [String: Any], privacy: [String: Any], code: String,
    identifiers: [String]
  ) {
    (self.info, self.entitlements, self.privacy, self.code) = (info, entitlements, privacy, code)
    checkModes()
    checkValues()
    checkIdentifiers(identifiers)
    checkEntitlements()
    checkCalls()
    checkReasons()
    checkCollected()
  }

  private func uses(_ pattern: String) -> Bool { SourceRules.count(pattern, in: code) > 0 }

  private mutating func checkModes() {
    let modes = info["UIBackgroundModes"] as? [String] ?? []
    let needed = [
      ("audio", #"\bAVPictureInPictureController\("#), ("fetch", #"\bBGAppRefreshTaskRequest\("#),
      ("processing", #"\bBGProcessingTaskRequest\("#),
      ("remote-notification", #"\.registerForRemoteNotifications\(\)"#),
    ]
    let used = Set(needed.filter { uses($0.1) }.map(\.0))
    faults += used.subtracting(modes).sorted().map { "Info.plist: UIBackgroundModes lacks \($0)" }
    faults += Set(modes).subtracting(used).sorted().map {
      "Info.plist: UIBackgroundModes has \($0), which nothing here needs"
    }
  }

  /// Names that the system knows, and switches that the app counts on.
  private mutating func checkValues() {
    let all = ["Portrait", "PortraitUpsideDown", "LandscapeLeft", "LandscapeRight"].map {
      "UIInterfaceOrientation" + $0
    }
    for key in ["UISupportedInterfaceOrientations", "UISupportedInterfaceOrientations~ipad"] {
      let given = info[key] as? [String] ?? []
      if given.isEmpty || !Set(given).isSubset(of: all) {
        faults.append("Info.plist: \(key) names no orientation")
      }
      // Or the store refuses an app that may share an iPad's screen.
      if key.hasSuffix("ipad"), given.count != all.count { faults.append("Info.plist: \(key) lacks one") }
    }
    if info["CADisableMinimumFrameDurationOnPhone"] as? Bool != true {
      faults.append("Info.plist: CADisableMinimumFrameDurationOnPhone limits every frame rate to 60")
    }
    // The proxy of this device, and nothing else without encryption.
    if info["NSAppTransportSecurity"] as? [String: Bool] != ["NSAllowsLocalNetworking": true] {
      faults.append("Info.plist: NSAppTransportSecurity is to allow the local network alone")
    }
    for (key, value) in info where key.hasSuffix("UsageDescription") && (value as? String ?? "").count < 10 {
      faults.append("Info.plist: \(key) says nothing")
    }
  }

  /// The scheduler raises for one that is not permitted.
  private mutating func checkIdentifiers(_ identifiers: [String]) {
    let permitted = info["BGTaskSchedulerPermittedIdentifiers"] as? [String] ?? []
    let bundle = "$(PRODUCT_BUNDLE_IDENTIFIER)"
    func fits(_ identifier: String, _ pattern: String) -> Bool {
      pattern.hasSuffix("*") ? identifier.hasPrefix(pattern.dropLast()) : identifier == pattern
    }
    for identifier in identifiers where !permitted.contains(where: { fits(bundle + identifier, $0) }) {
      faults.append("Info.plist: BGTaskSchedulerPermittedIdentifiers lacks \(identifier)")
    }
    for pattern in permitted where !identifiers.contains(where: { fits(bundle + $0, pattern) }) {
      faults.append("Info.plist: no code asks for the background task \(pattern)")
    }
  }

  /// Cases of `BackgroundWork`, and what the banner of an upload is called.
  static func backgroundIdentifiers(in source: String) -> [String] {
    let cases = SourceRules.matches(#"\benum BackgroundWork\b[^{]*\{([^}]*)\}"#, in: source).flatMap {
      SourceRules.matches(#"\n\s*case (\w+)"#, in: $0)
    }
    let banners = SourceRules.matches(#"\bContinuedUpload\(identifier: [\w.]+ \+ "\.([\w.]+)""#, in: source)
    return (cases + banners).map { "." + $0 }
  }

  private mutating func checkEntitlements() {
    let domains = entitlements["com.apple.developer.associated-domains"] as? [String] ?? []
    for domain in ["applinks:$(CLIPFEED_HOST)", "webcredentials:$(CLIPFEED_HOST)"]
    where !domains.contains(domain) {
      faults.append("Clipfeed.entitlements: associated-domains lacks \(domain)")
    }
    let needed = [
      ("aps-environment", #"\.registerForRemoteNotifications\(\)"#),
      ("com.apple.developer.applesignin", #"\bASAuthorizationAppleIDProvider\("#),
    ]
    for (key, pattern) in needed where uses(pattern) && entitlements[key] == nil {
      faults.append("Clipfeed.entitlements lacks \(key)")
    }
  }

  /// What the system calls because of something that is elsewhere.
  private mutating func checkCalls() {
    let links = info["CFBundleURLTypes"] == nil ? #"(?!)"# : #""#
    let all: [(because: String, needed: String, name: String)] = [
      (
        #"\.background\(withIdentifier:"#, #"\bhandleEventsForBackgroundURLSession\b"#,
        "application(_:handleEventsForBackgroundURLSession:completionHandler:)"
      ),
      (
        #"\bhandleEventsForBackgroundURLSession\b"#, #"\.background\(withIdentifier:"#,
        "a session for the background: uploads end with the app"
      ),
      (
        #"\.background\(withIdentifier:"#, #"\bfunc urlSessionDidFinishEvents\(forBackgroundURLSession\b"#,
        "urlSessionDidFinishEvents(forBackgroundURLSession:)"
      ),
      (
        #"\.background\(withIdentifier:"#, #"\.sessionSendsLaunchEvents\s*=\s*true"#,
        "sessionSendsLaunchEvents: the system wakes nobody"
      ),
      (
        #"\.registerForRemoteNotifications\(\)"#, #"\bdidRegisterForRemoteNotificationsWithDeviceToken\b"#,
        "application(_:didRegisterForRemoteNotificationsWithDeviceToken:)"
      ),
      (
        #"\bUNUserNotificationCenterDelegate\b"#, #"\bdidReceive response\b"#,
        "userNotificationCenter(_:didReceive:withCompletionHandler:)"
      ),
      (links, #"\bopenURLContexts\b"#, "scene(_:openURLContexts:), for links while it runs"),
      (links, #"\.urlContexts\b"#, "the scene's urlContexts, for links that start it"),
      (links, #"\bcontinue userActivity\b"#, "scene(_:continue:), for universal links while it runs"),
      (links, #"\.userActivities\b"#, "the scene's userActivities, for universal links that start it"),
    ]
    for call in all where (call.because.isEmpty || uses(call.because)) && !uses(call.needed) {
      faults.append("the sources lack \(call.name)")
    }
  }

  // MARK: The privacy manifest

  /// By category: what is code of it, and which reasons Apple lists.
  private static let categories: [(name: String, code: String, reasons: Set<String>)] = [
    (
      "FileTimestamp",
      #"\battributesOfItem\b|\bcontentModificationDate|\bcreationDateKey\b|\bgetattrlist\("#,
      ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]
    ),
    ("SystemBootTime", #"\bsystemUptime\b|\bmach_absolute_time\b"#, ["35F9.1", "8FFB.1", "3D61.1"]),
    (
      "DiskSpace", #"\bvolumeAvailableCapacity|\bsystemFreeSize\b|\bstatv?fs\("#,
      ["85F4.1", "E174.1", "7D9E.1", "B728.1"]
    ),
    ("ActiveKeyboards", #"\bactiveInputModes\b"#, ["3EC4.1", "54BD.1"]),
    ("UserDefaults", #"\bUserDefaults\b|@AppStorage\b"#, ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]),
  ]

  private mutating func checkReasons() {
    let prefix = "NSPrivacyAccessedAPICategory"
    var given: [String: [String]] = [:]
    for entry in privacy["NSPrivacyAccessedAPITypes"] as? [[String: Any]] ?? [] {
      let name = entry["NSPrivacyAccessedAPIType"] as? String ?? ""
      given[name] = entry["NSPrivacyAccessedAPITypeReasons"] as? [String] ?? []
      guard let category = Self.categories.first(where: { prefix + $0.name == name }) else {
        faults.append("PrivacyInfo.xcprivacy: Apple knows no category \(name)")
        continue
      }
      if given[name]?.isEmpty != false { faults.append("PrivacyInfo.xcprivacy: \(name) has no reason") }
      for reason in given[name] ?? [] where !category.reasons.contains(reason) {
        faults.append("PrivacyInfo.xcprivacy: \(reason) is no reason for \(name)")
      }
    }
    for category in Self.categories where uses(category.code) && given[prefix + category.name] == nil {
      faults.append("PrivacyInfo.xcprivacy lacks \(prefix + category.name), which the sources use")
    }
  }

  /// What Apple lists, without `NSPrivacyCollectedDataType`.
  private static let collected: Set<Substring> = Set(
    """
    Name EmailAddress PhoneNumber PhysicalAddress OtherUserContactInfo Health Fitness PaymentInfo CreditInfo \
    OtherFinancialInfo PreciseLocation CoarseLocation SensitiveInfo Contacts EmailsOrTextMessages PhotosorVideos \
    AudioData GameplayContent CustomerSupport OtherUserContent BrowsingHistory SearchHistory UserID DeviceID \
    PurchaseHistory ProductInteraction AdvertisingData OtherUsageData CrashData PerformanceData \
    OtherDiagnosticData EnvironmentScanning Hands Head OtherDataTypes
    """.split(separator: " "))

  private mutating func checkCollected() {
    for entry in privacy["NSPrivacyCollectedDataTypes"] as? [[String: Any]] ?? [] {
      let name = entry["NSPrivacyCollectedDataType"] as? String ?? ""
      let purposes = entry["NSPrivacyCollectedDataTypePurposes"] as? [String] ?? []
      let isWhole =
        entry["NSPrivacyCollectedDataTypeLinked"] is Bool
        && entry["NSPrivacyCollectedDataTypeTracking"] is Bool && !purposes.isEmpty
      if !Self.collected.contains(name.dropFirst("NSPrivacyCollectedDataType".count)) {
        faults.append("PrivacyInfo.xcprivacy: Apple knows no data \(name)")
      }
      if !isWhole { faults.append("PrivacyInfo.xcprivacy: \(name) does not say who it is linked to, or why") }
    }
    if privacy["NSPrivacyTracking"] as? Bool == nil {
      faults.append("PrivacyInfo.xcprivacy lacks NSPrivacyTracking")
    }
  }
}
