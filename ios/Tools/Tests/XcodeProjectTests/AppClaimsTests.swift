import Testing

@testable import XcodeProject

@Suite struct AppClaimsTests {
  private let code = """
    BGAppRefreshTaskRequest(identifier: a); BGProcessingTaskRequest(identifier: a)
    AVPictureInPictureController(playerLayer: a); x.registerForRemoteNotifications()
    ASAuthorizationAppleIDProvider(); x.attributesOfItem(atPath: p)
    URLSessionConfiguration.background(withIdentifier: a); c.sessionSendsLaunchEvents = true
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
    func application(_ a: A, handleEventsForBackgroundURLSession identifier: String) {}
    func application(_ a: A, didRegisterForRemoteNotificationsWithDeviceToken token: Data) {}
    class A: UNUserNotificationCenterDelegate { func c(_ c: C, didReceive response: R) {} }
    func scene(_ s: S, openURLContexts c: C) { options.urlContexts; options.userActivities }
    func scene(_ s: S, continue userActivity: A) {}
    """
  private var info: [String: Any] {
    let orientations = ["Portrait", "PortraitUpsideDown", "LandscapeLeft", "LandscapeRight"].map {
      "UIInterfaceOrientation" + $0
    }
    return [
      "UIBackgroundModes": ["audio", "fetch", "processing", "remote-notification"],
      "BGTaskSchedulerPermittedIdentifiers": [
        "$(PRODUCT_BUNDLE_IDENTIFIER).refresh", "$(PRODUCT_BUNDLE_IDENTIFIER).upload.*",
      ],
      "CFBundleURLTypes": [[String: Any]](), "CADisableMinimumFrameDurationOnPhone": true,
      "NSAppTransportSecurity": ["NSAllowsLocalNetworking": true],
      "NSCameraUsageDescription": "The camera records your clips.",
      "UISupportedInterfaceOrientations": Array(orientations.prefix(1)),
      "UISupportedInterfaceOrientations~ipad": orientations,
    ]
  }
  private let entitlements: [String: Any] = [
    "aps-environment": "development", "com.apple.developer.applesignin": ["Default"],
    "com.apple.developer.associated-domains": [
      "applinks:$(CLIPFEED_HOST)", "webcredentials:$(CLIPFEED_HOST)",
    ],
  ]
  private func privacy(_ type: String = "FileTimestamp", _ reasons: [String] = ["C617.1"]) -> [String: Any] {
    [
      "NSPrivacyTracking": false,
      "NSPrivacyAccessedAPITypes": [
        [
          "NSPrivacyAccessedAPIType": "NSPrivacyAccessedAPICategory" + type,
          "NSPrivacyAccessedAPITypeReasons": reasons,
        ] as [String: Any]
      ],
    ]
  }

  private func faults(
    _ info: [String: Any]? = nil, entitlements: [String: Any]? = nil, privacy: [String: Any]? = nil,
    code: String? = nil, identifiers: [String] = [".refresh", ".upload.continued"]
  ) -> [String] {
    AppClaims(
      info: info ?? self.info, entitlements: entitlements ?? self.entitlements,
      privacy: privacy ?? self.privacy(), code: code ?? self.code, identifiers: identifiers
    ).faults
  }

  @Test func findsNothingInWhatIsWhole() {
    #expect(faults() == [])
  }

  @Test(arguments: [
    "UIBackgroundModes", "BGTaskSchedulerPermittedIdentifiers", "CADisableMinimumFrameDurationOnPhone",
    "NSAppTransportSecurity", "UISupportedInterfaceOrientations", "UISupportedInterfaceOrientations~ipad",
  ])
  func seesAKeyThatIsGone(key: String) {
    var info = info
    info[key] = nil
    #expect(!faults(info).isEmpty)
  }

  @Test func seesValuesThatAreWrong() {
    for (key, value) in [
      ("UIBackgroundModes", ["audio", "fetch", "processing", "remote-notification", "location"]),
      ("UISupportedInterfaceOrientations", ["UIInterfaceOrientationUp"]),
      ("BGTaskSchedulerPermittedIdentifiers", ["$(PRODUCT_BUNDLE_IDENTIFIER).*", "other"]),
    ] {
      var info = info
      info[key] = value
      #expect(!faults(info).isEmpty, "\(key)")
    }
    var info = info
    info["NSAppTransportSecurity"] = ["NSAllowsArbitraryLoads": true]
    #expect(!faults(info).isEmpty)
    info = self.info
    info["NSCameraUsageDescription"] = ""
    #expect(!faults(info).isEmpty)
  }

  @Test func aBackgroundTaskHasToBePermitted() {
    #expect(!faults(identifiers: [".refresh", ".upload.continued", ".trim"]).isEmpty)
    #expect(!faults(identifiers: [".upload.continued"]).isEmpty)
  }

  @Test func readsIdentifiersOfBackgroundTasks() {
    let source = """
      public enum BackgroundWork: String, Sendable {
        /// One.
        case refresh
        case trim
      }
      let a = ContinuedUpload(identifier: Self.bundle + ".upload.continued")
      """
    #expect(AppClaims.backgroundIdentifiers(in: source) == [".refresh", ".trim", ".upload.continued"])
  }

  @Test func seesAnEntitlementThatIsGone() {
    for key in entitlements.keys {
      var rest = entitlements
      rest[key] = nil
      #expect(!faults(entitlements: rest).isEmpty, "\(key)")
    }
  }

  @Test(arguments: [
    "handleEventsForBackgroundURLSession", "urlSessionDidFinishEvents", "sessionSendsLaunchEvents",
    "didRegisterForRemoteNotificationsWithDeviceToken", "didReceive response", "openURLContexts",
    "urlContexts", "userActivities", "continue userActivity", ".background(withIdentifier:",
  ])
  func seesACallThatNobodyTakes(call: String) {
    #expect(!faults(code: code.replacing(call, with: "gone")).isEmpty)
  }

  @Test func seesWhatThePrivacyManifestLacks() {
    #expect(!faults(privacy: privacy("DiskSpace", ["E174.1"])).isEmpty)
    #expect(!faults(privacy: privacy("FileTimestamp", [])).isEmpty)
    #expect(!faults(privacy: privacy("FileTimestamp", ["CA92.1"])).isEmpty)
    #expect(!faults(privacy: privacy("FileTimes")).isEmpty)
    var collected = privacy()
    collected["NSPrivacyCollectedDataTypes"] = [
      ["NSPrivacyCollectedDataType": "NSPrivacyCollectedDataTypeName"]
    ]
    #expect(faults(privacy: collected).count == 1)
    collected["NSPrivacyCollectedDataTypes"] = [
      [
        "NSPrivacyCollectedDataType": "NSPrivacyCollectedDataTypeEmail",
        "NSPrivacyCollectedDataTypeLinked": true, "NSPrivacyCollectedDataTypeTracking": false,
        "NSPrivacyCollectedDataTypePurposes": ["NSPrivacyCollectedDataTypePurposeAnalytics"],
      ] as [String: Any]
    ]
    #expect(faults(privacy: collected).count == 1)
  }
}
