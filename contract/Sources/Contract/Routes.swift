internal import Foundation

/// Every address the server answers by contract. `{name}` stands for one path segment.
public struct Route: Sendable, Equatable {
  public let methods: [String]
  public let template: String
  /// The words of the template, for comparing bytes; nil stands for a placeholder.
  let words: [[UInt8]?]

  public static let feed = Route(methods: ["GET", "HEAD"], template: "/api/v1/feed")
  public static let clip = Route(methods: ["GET", "HEAD"], template: "/api/v1/clips/{id}")
  public static let comments = Route(
    methods: ["GET", "HEAD", "POST"], template: "/api/v1/clips/{id}/comments")
  /// Comments by themselves, of whichever clip.
  public static let comment = Route(methods: ["GET", "HEAD", "DELETE"], template: "/api/v1/comments/{id}")
  public static let commentReplies = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/comments/{id}/replies")
  public static let commentLike = Route(methods: ["PUT", "DELETE"], template: "/api/v1/comments/{id}/like")
  public static let commentPin = Route(methods: ["PUT", "DELETE"], template: "/api/v1/comments/{id}/pin")
  /// Whoever made the clip lets one stand that waited.
  public static let commentApproval = Route(methods: ["PUT"], template: "/api/v1/comments/{id}/approval")
  public static let reactions = Route(methods: ["POST"], template: "/api/v1/clips/{id}/reactions")
  public static let like = Route(methods: ["PUT", "DELETE"], template: "/api/v1/clips/{id}/like")
  public static let bookmark = Route(methods: ["PUT", "DELETE"], template: "/api/v1/clips/{id}/bookmark")
  public static let shares = Route(methods: ["POST"], template: "/api/v1/clips/{id}/shares")
  public static let follow = Route(methods: ["PUT", "DELETE"], template: "/api/v1/authors/{id}/follow")
  /// Nothing between the two any more: neither sees the other's clips and comments, nor acts on them.
  public static let block = Route(methods: ["PUT", "DELETE"], template: "/api/v1/authors/{id}/block")
  /// What whoever asks has marked, newest first.
  public static let likes = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/likes")
  public static let bookmarks = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/bookmarks")
  public static let following = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/following")
  /// What whoever asks has uploaded, newest first.
  public static let ownClips = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/clips")
  public static let blocks = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/blocks")
  /// What happened that matters to the safety of the account that asks, newest first.
  public static let notices = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/notices")
  /// Devices on which whoever asks hears of what happens, also while the app is not open.
  public static let devices = Route(methods: ["GET", "HEAD", "POST"], template: "/api/v1/account/devices")
  public static let device = Route(methods: ["DELETE"], template: "/api/v1/account/devices/{id}")
  /// The same of a browser, by its push service.
  public static let webDevices = Route(methods: ["POST"], template: "/api/v1/account/web-devices")
  /// What happened to whoever asks, how far they have seen it, and what they want to hear of.
  public static let notifications = Route(methods: ["GET", "HEAD"], template: "/api/v1/notifications")
  public static let notificationsSeen = Route(methods: ["PUT"], template: "/api/v1/notifications/seen")
  public static let unseenNotifications = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/unseen-notifications")
  public static let notificationSettings = Route(
    methods: ["GET", "HEAD", "PUT"], template: "/api/v1/account/notification-settings")
  /// Which comments wait under the clips of whoever asks, and those that do.
  public static let commentFilters = Route(
    methods: ["GET", "HEAD", "PUT"], template: "/api/v1/account/comment-filters")
  public static let heldComments = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/account/held-comments")
  /// Whether whoever asks sees clips that are for adults alone.
  public static let restrictedMode = Route(
    methods: ["GET", "HEAD", "PUT"], template: "/api/v1/account/restricted-mode")
  /// Conversations of two, by the id of the other one. An inbox is whoever asks'.
  public static let conversations = Route(methods: ["GET", "HEAD"], template: "/api/v1/conversations")
  public static let messages = Route(
    methods: ["GET", "HEAD", "POST"], template: "/api/v1/conversations/{id}/messages")
  public static let messagesRead = Route(methods: ["PUT"], template: "/api/v1/conversations/{id}/read")
  public static let unreadMessages = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/unread-messages")
  /// What is found by words: `q` of the query.
  public static let foundClips = Route(methods: ["GET", "HEAD"], template: "/api/v1/search/clips")
  public static let foundPeople = Route(methods: ["GET", "HEAD"], template: "/api/v1/search/people")
  public static let foundTags = Route(methods: ["GET", "HEAD"], template: "/api/v1/search/tags")
  public static let foundSounds = Route(methods: ["GET", "HEAD"], template: "/api/v1/search/sounds")
  public static let searchSuggestions = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/search/suggestions")
  /// What rises now, what resembles a clip, and what the feed goes by for whoever asks.
  public static let trending = Route(methods: ["GET", "HEAD"], template: "/api/v1/trending")
  public static let similarClips = Route(methods: ["GET", "HEAD"], template: "/api/v1/clips/{id}/similar")
  public static let taste = Route(methods: ["GET", "HEAD", "PUT", "DELETE"], template: "/api/v1/taste")
  public static let dismissals = Route(methods: ["POST", "DELETE"], template: "/api/v1/taste/dismissals")
  /// How a clip does, for its owner.
  public static let clipInsights = Route(methods: ["GET", "HEAD"], template: "/api/v1/clips/{id}/insights")
  /// Somebody who makes clips, on a page of their own.
  public static let profile = Route(methods: ["GET", "HEAD"], template: "/api/v1/profiles/{handle}")
  public static let profileClips = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/profiles/{handle}/clips")
  public static let profileLikes = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/profiles/{handle}/likes")
  public static let profileFollowers = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/profiles/{handle}/followers")
  public static let profileFollowing = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/profiles/{handle}/following")
  public static let accountProfile = Route(methods: ["PATCH"], template: "/api/v1/account/profile")
  /// The picture of whoever asks.
  public static let accountPicture = Route(methods: ["PUT", "DELETE"], template: "/api/v1/account/picture")
  /// What is reported to moderators, and what they decide.
  public static let reports = Route(methods: ["POST"], template: "/api/v1/reports")
  public static let accountReports = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/reports")
  public static let accountDecisions = Route(methods: ["GET", "HEAD"], template: "/api/v1/account/decisions")
  public static let decisionAppeal = Route(
    methods: ["PUT"], template: "/api/v1/account/decisions/{id}/appeal")
  public static let moderationCases = Route(methods: ["GET", "HEAD"], template: "/api/v1/moderation/cases")
  public static let moderationCase = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/moderation/cases/{id}")
  public static let caseDecisions = Route(
    methods: ["POST"], template: "/api/v1/moderation/cases/{id}/decisions")
  public static let decisionReview = Route(
    methods: ["PUT"], template: "/api/v1/moderation/decisions/{id}/review")
  /// What was watched, in batches.
  public static let events = Route(methods: ["POST"], template: "/api/v1/events")
  /// Made by JSON, by tus 1.0 and by the IETF's resumable uploads; after that all three speak to the same
  /// upload.
  public static let uploads = Route(methods: ["POST", "OPTIONS"], template: "/api/v1/uploads")
  public static let upload = Route(
    methods: ["GET", "HEAD", "PATCH", "DELETE", "OPTIONS"], template: "/api/v1/uploads/{id}")
  public static let uploadCommit = Route(methods: ["POST"], template: "/api/v1/uploads/{id}/commit")
  /// The clip of an upload, for whoever knows the upload: whatever its visibility. Its owner deletes it here,
  /// and has it back.
  public static let uploadClip = Route(
    methods: ["GET", "HEAD", "PUT", "DELETE"], template: "/api/v1/uploads/{id}/clip")
  public static let captions = Route(methods: ["GET", "HEAD"], template: "/api/v1/uploads/{id}/captions")
  /// One language of them, as a file of WebVTT or SubRip.
  public static let captionsOfLanguage = Route(
    methods: ["PUT", "DELETE"], template: "/api/v1/uploads/{id}/captions/{language}")
  public static let accounts = Route(methods: ["POST"], template: "/api/v1/accounts")
  public static let sessions = Route(
    methods: ["GET", "HEAD", "POST", "DELETE"], template: "/api/v1/sessions")
  public static let sessionRefresh = Route(methods: ["POST"], template: "/api/v1/sessions/refresh")
  /// The second step of a sign-in, where an account asks for one.
  public static let secondStep = Route(methods: ["POST"], template: "/api/v1/sessions/second-step")
  /// Signing in by a key of a device, as the one step or as the second: what it is to sign, and its answer.
  public static let passkeyQuestions = Route(
    methods: ["POST"], template: "/api/v1/sessions/passkey-questions")
  public static let passkeySessions = Route(methods: ["POST"], template: "/api/v1/sessions/passkeys")
  /// `currentSession` stands for the one that asks.
  public static let session = Route(methods: ["DELETE"], template: "/api/v1/sessions/{id}")
  public static let currentSession = "current"
  public static let account = Route(methods: ["GET", "HEAD", "PATCH"], template: "/api/v1/account")
  public static let accountDeletion = Route(methods: ["POST"], template: "/api/v1/account/deletion")
  public static let accountPassword = Route(methods: ["PUT"], template: "/api/v1/account/password")
  public static let passwordResets = Route(methods: ["POST"], template: "/api/v1/password-resets")
  public static let passwordReset = Route(methods: ["PUT"], template: "/api/v1/password-resets/{token}")
  public static let emailConfirmation = Route(
    methods: ["PUT"], template: "/api/v1/email-confirmations/{token}")
  /// What an account takes along: an archive of all that is kept of it, made on request.
  public static let exports = Route(methods: ["GET", "HEAD", "POST"], template: "/api/v1/account/exports")
  public static let export = Route(methods: ["DELETE"], template: "/api/v1/account/exports/{id}")
  /// The archive, under a seal that was handed out with it.
  public static let exportArchive = Route(methods: ["GET", "HEAD"], template: "/exports/{id}/{seal}")
  /// Clips from words: what can be had, and what whoever asks had made or is having made.
  public static let generationOffer = Route(methods: ["GET", "HEAD"], template: "/api/v1/generation-offer")
  public static let generations = Route(methods: ["GET", "HEAD", "POST"], template: "/api/v1/generations")
  public static let generation = Route(
    methods: ["GET", "HEAD", "DELETE"], template: "/api/v1/generations/{id}")
  public static let generationRefinements = Route(
    methods: ["POST"], template: "/api/v1/generations/{id}/refinements")
  public static let generationPublication = Route(
    methods: ["PUT"], template: "/api/v1/generations/{id}/publication")
  /// Pictures that one's own start from.
  public static let generationPictures = Route(methods: ["POST"], template: "/api/v1/generation-pictures")
  public static let generationPicture = Route(
    methods: ["GET", "HEAD", "DELETE"], template: "/api/v1/generation-pictures/{id}")
  /// Where a provider of videos says that something became of one.
  public static let generationWebhook = Route(
    methods: ["POST"], template: "/api/v1/generation-webhooks/{provider}")
  /// Addresses that hear of what happens to whoever asks.
  public static let webhooks = Route(methods: ["GET", "HEAD", "POST"], template: "/api/v1/account/webhooks")
  public static let webhook = Route(methods: ["PATCH", "DELETE"], template: "/api/v1/account/webhooks/{id}")
  public static let webhookSecret = Route(
    methods: ["POST"], template: "/api/v1/account/webhooks/{id}/secret")
  public static let webhookTests = Route(methods: ["POST"], template: "/api/v1/account/webhooks/{id}/tests")
  public static let webhookDeliveries = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/account/webhooks/{id}/deliveries")
  /// By whom else people can sign in here. `signIns` and `signInAnswers` are for whoever comes, the others
  /// for accounts.
  public static let signInProviders = Route(methods: ["GET", "HEAD"], template: "/api/v1/sign-in-providers")
  public static let signIns = Route(methods: ["POST"], template: "/api/v1/sign-ins")
  public static let signInAnswers = Route(methods: ["POST"], template: "/api/v1/sign-ins/answer")
  public static let signInAccounts = Route(methods: ["POST"], template: "/api/v1/sign-ins/accounts")
  public static let accountSignIns = Route(methods: ["POST"], template: "/api/v1/account/sign-ins")
  public static let accountSignInAnswers = Route(
    methods: ["POST"], template: "/api/v1/account/sign-ins/answer")
  public static let identities = Route(
    methods: ["GET", "HEAD", "POST"], template: "/api/v1/account/identities")
  public static let identity = Route(methods: ["DELETE"], template: "/api/v1/account/identities/{id}")
  /// What is asked for beside the password: codes of an app, and codes for whoever has lost it.
  public static let secondFactors = Route(
    methods: ["GET", "HEAD"], template: "/api/v1/account/second-factors")
  public static let codeApp = Route(
    methods: ["POST", "PUT", "DELETE"], template: "/api/v1/account/second-factors/code-app")
  public static let recoveryCodes = Route(
    methods: ["POST"], template: "/api/v1/account/recovery-codes")
  /// Keys of devices that open the account; one is made in two steps.
  public static let passkeys = Route(
    methods: ["GET", "HEAD", "POST"], template: "/api/v1/account/passkeys")
  public static let passkeySetups = Route(methods: ["POST"], template: "/api/v1/account/passkey-setups")
  public static let passkey = Route(
    methods: ["PATCH", "DELETE"], template: "/api/v1/account/passkeys/{id}")
  /// Keys by which programs act for the account, at `/v1` alone.
  public static let apiKeys = Route(methods: ["GET", "HEAD", "POST"], template: "/api/v1/account/keys")
  public static let apiKey = Route(methods: ["DELETE"], template: "/api/v1/account/keys/{id}")
  /// Videos from words in the dialect of OpenAI's API, for programs that have a key.
  public static let videos = Route(methods: ["GET", "HEAD", "POST"], template: "/v1/videos")
  public static let video = Route(methods: ["GET", "HEAD", "DELETE"], template: "/v1/videos/{id}")
  public static let videoContent = Route(methods: ["GET", "HEAD"], template: "/v1/videos/{id}/content")
  public static let videoRemix = Route(methods: ["POST"], template: "/v1/videos/{id}/remix")
  /// Where a provider sends people back to.
  public static let signInReturn = Route(methods: ["GET", "POST"], template: "/sign-in/{provider}")
  /// What the caller's account is to hear of, as server-sent events.
  public static let live = Route(methods: ["GET"], template: "/api/v1/live")
  public static let media = Route(methods: ["GET", "HEAD"], template: "/media/{name}")
  /// Media of a clip that is not public. The names in its playlists are relative, so they are under the same
  /// seal.
  public static let sealedMedia = Route(methods: ["GET", "HEAD"], template: "/sealed/{id}/{seal}/{name}")
  /// The page that starts with this clip.
  public static let clipPage = Route(methods: ["GET", "HEAD"], template: "/c/{id}")
  /// A page with the public clips of a tag, newest first; `cursor` goes on.
  public static let tagPage = Route(methods: ["GET", "HEAD"], template: "/t/{tag}")
  /// A page with the public clips that have a sound, newest first; `cursor` goes on.
  public static let soundPage = Route(methods: ["GET", "HEAD"], template: "/s/{id}")
  /// What other sites need to show a clip (oEmbed 1.0), and the page that they show then.
  public static let oembed = Route(methods: ["GET", "HEAD"], template: "/oembed")
  public static let embed = Route(methods: ["GET", "HEAD"], template: "/e/{id}")
  /// Which apps of Apple's systems open addresses of this site, and use its passwords.
  public static let appSiteAssociation = Route(
    methods: ["GET", "HEAD"], template: "/.well-known/apple-app-site-association")
  public static let health = Route(methods: ["GET", "HEAD"], template: "/healthz")
  public static let ready = Route(methods: ["GET", "HEAD"], template: "/readyz")

  /// What all of `/api` is, as OpenAPI describes it.
  public static let openAPI = Route(methods: ["GET", "HEAD"], template: "/openapi.json")

  public static let all: [Route] = [
    .feed, .clip, .comments, .reactions, .uploads, .upload, .uploadCommit, .uploadClip, .captions,
    .captionsOfLanguage, .accounts, .sessions, .sessionRefresh, .secondStep, .passkeyQuestions,
    .passkeySessions, .session, .account, .accountDeletion,
    .accountPassword, .passwordResets, .passwordReset, .emailConfirmation, .media, .sealedMedia, .clipPage,
    .tagPage, .soundPage,
    .oembed, .embed, .health, .ready, .openAPI, .like, .bookmark, .shares, .follow, .likes, .bookmarks,
    .following, .ownClips,
    .events, .live, .block, .blocks, .conversations, .messages, .messagesRead, .unreadMessages,
    .signInProviders, .signIns, .signInAnswers, .signInAccounts, .accountSignIns,
    .accountSignInAnswers, .identities, .identity, .signInReturn, .notices,
    .devices, .device, .appSiteAssociation, .foundClips, .foundPeople, .foundTags, .foundSounds,
    .searchSuggestions,
    .trending, .similarClips, .taste, .dismissals, .clipInsights,
    .profile, .profileClips, .profileLikes, .profileFollowers, .profileFollowing, .accountProfile,
    .accountPicture,
    .comment, .commentReplies, .commentLike, .commentPin,
    .reports, .accountReports, .accountDecisions, .decisionAppeal, .moderationCases, .moderationCase,
    .caseDecisions, .decisionReview,
    .commentFilters, .heldComments, .commentApproval,
    .webDevices, .notifications, .notificationsSeen, .unseenNotifications, .notificationSettings,
    .secondFactors, .codeApp, .recoveryCodes, .passkeys, .passkeySetups, .passkey,
    .exports, .export, .exportArchive, .restrictedMode,
    .generationOffer, .generations, .generation, .generationRefinements, .generationPublication,
    .generationPictures, .generationPicture,
    .generationWebhook, .webhooks, .webhook, .webhookSecret, .webhookTests, .webhookDeliveries,
    .apiKeys, .apiKey, .videos, .video, .videoContent, .videoRemix,
  ]

  /// Whether OpenAPI describes it, and whoever asks is of interest.
  public var isOfAPI: Bool { template.utf8.starts(with: "/api/".utf8) }

  /// Whether it is of another's API: keys of accounts open it and nothing else, and errors have its form.
  public var isOfDialect: Bool { template.utf8.starts(with: "/v1/".utf8) }

  private init(methods: [String], template: String) {
    self.methods = methods
    self.template = template
    words = template.split(separator: "/").map { $0.hasPrefix("{") ? nil : Array($0.utf8) }
  }

  /// Fills the placeholders, each percent-encoded as one segment.
  public func path(_ values: String...) -> String {
    var values = values[...]
    return words.map { word in
      "/" + (word.map { String(decoding: $0, as: UTF8.self) } ?? Self.encoded(values.popFirst() ?? ""))
    }.joined()
  }

  /// Routes are compared by every request, many times: no two of them have one template.
  public static func == (one: Route, other: Route) -> Bool { one.template == other.template }

  /// The route of a path, whatever the method, and what stands in the place of each placeholder.
  public static func find(_ path: String) -> (route: Route, values: [String])? {
    let segments = segments(of: path)
    guard let route = tree.find(segments[...]), let values = route.values(in: segments) else { return nil }
    return (route, values)
  }

  /// Whether this path is one of this route, whatever the method.
  public func matches(_ path: String) -> Bool { values(in: path) != nil }

  /// What stands in the place of each placeholder, as it was before `path` encoded it; nil for another
  /// route's path.
  public func values(in path: String) -> [String]? { values(in: Self.segments(of: path)) }

  private static let tree = RouteTree(all)
  private static let most = all.map(\.words.count).max() ?? 0

  /// What stands between slashes; hardly more than the longest route has, however long the path is.
  private static func segments(of path: String) -> [Substring.UTF8View] {
    path[...].utf8.split(separator: UInt8(ascii: "/"), maxSplits: most + 1)
  }

  private func values(in segments: [Substring.UTF8View]) -> [String]? {
    guard segments.count == words.count else { return nil }
    for (word, theirs) in zip(words, segments) {
      if let word, !theirs.elementsEqual(word) { return nil }
    }
    return zip(words, segments).compactMap { word, theirs in
      guard word == nil else { return nil }
      let text = String(Substring(theirs))
      return theirs.contains(UInt8(ascii: "%")) ? text.removingPercentEncoding ?? text : text
    }
  }

  /// RFC 3986 unreserved characters stay, everything else becomes %XX.
  public static func encoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF")
    var out = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        out.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        out += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
      }
    }
    return out
  }
}
