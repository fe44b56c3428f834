internal import Contract

extension Note {
  /// What is said of a property: `Type.name`, `Type.name.*` for the items of a list, `*.name` for every type.
  static func of(_ property: String, in type: String) -> Note {
    table["\(type).\(property)"] ?? table["*.\(property)"] ?? Note()
  }

  /// Kinds of text that are used in several places.
  static let id = Spelling("A-Za-z0-9_-", 1...64)
  /// Of a link in a message: what it says and a tag, each in base64url, with a full stop between.
  static let linkToken = Spelling("A-Za-z0-9_.-", 1...200)
  static let hash = Spelling("0-9a-f", 64...64)
  /// Of accounts, in whatever case, and of those whose clips were imported.
  static let handleSpelling = Spelling("A-Za-z0-9._-", 1...64)

  private static let handle = Note(
    "\(Limits.handleLength.lowerBound) to \(Limits.handleLength.upperBound) letters a to z, digits, full stops and underscores.",
    range: 0...255, tooMuch: .handleInvalid)
  private static let personName = Note(
    "At most \(Limits.nameLength.upperBound) characters as a person counts them.",
    range: 0...Limits.nameScalars,
    tooMuch: .nameInvalid)
  private static let email = Note(range: 0...Limits.emailBytes, tooMuch: .emailInvalid)
  private static let transport = Note("Where the tokens go: into cookies (browsers) or into the answer.")
  // NB: bytes of the normal form count, and a keyboard may write each character in three pieces.
  private static let newPassword = Note(
    "At least \(Limits.passwordLength) characters as a person counts them, at most \(Limits.passwordBytes) bytes.",
    range: Limits.passwordLength...Limits.passwordBytes * 3, tooLittle: .passwordTooShort,
    tooMuch: .passwordTooLong)

  private static let proof = Note(
    "Instead of the password: what `POST account/sign-ins/answer` gave.", range: 0...Limits.signInTextBytes,
    tooMuch: .requestRefused)
  private static let ticket = Note(
    "What `POST sign-ins/answer` or `POST account/sign-ins/answer` gave.", range: 0...Limits.signInTextBytes,
    tooMuch: .requestRefused)

  private static func statement(_ about: String, range: ClosedRange<Int> = 0...Limits.statementScalars)
    -> Note
  {
    Note(
      "\(about) At most \(Limits.statementLength) characters as a person counts them.", range: range,
      tooLittle: .statementEmpty, tooMuch: .statementTooLong)
  }

  static let table: [String: Note] = [
    // Everywhere
    "*.next_cursor": Note("Where the next page starts; null where there is none.", isAlwaysThere: true),
    "*.created_at": Note("RFC 3339, in UTC."),
    "*.placeholder": Note("A ThumbHash in base64: a blurred picture of some 25 bytes."),
    "*.url": Note("Relative to the server, or absolute."),

    // Problems
    "Problem.type": Note("A stable name of the kind of problem; no address to open."),
    "Problem.code": Note(
      "Stable: what programs go by. Texts may improve.", choices: ErrorCode.allCases.map(\.rawValue)),
    "Problem.detail": Note("One sentence for a person."),
    "Problem.field": Note(
      "What in the request is wrong, where it is one thing: a path into the body (`details.tags[0]`), or the name of "
        + "a parameter or a header."),
    "Problem.challenge": Note(
      "Of `second_step_needed`: with what the second step of the sign-in is taken, once, within ten minutes."),
    "Problem.request_id": Note("What the operator finds the request by in the log."),
    "Problem.retryable": Note("The same request can succeed later without being changed."),

    // What an account takes along
    "DataExport.state": Note("`waiting`, `working`, `ready` or `failed`."),
    "DataExport.permille": Note("How much of it is there, by bytes and records.", range: 0...1000),
    "DataExport.remaining_ms": Note("Left out while nobody can say."),
    "DataExport.size_bytes": Note("Of the archive, once it is there."),
    "DataExport.records": Note("Lines in all its lists."),
    "DataExport.files": Note("Files in it beside the lists: videos, covers and captions."),
    "DataExport.sha256": Note("Of the archive, in hexadecimal.", spelling: Note.hash),
    "DataExport.expires_at": Note("Until when it can be downloaded. RFC 3339, in UTC."),
    "DataExport.url": Note(
      "Where the archive is, for an hour or two: ask again to get a new one. Takes ranges, so that a download that broke off goes on."
    ),
    "DataExport.problem": Note("Why it failed: a code of the problems."),
    "DataExportList.items": Note("Newest first. Only the newest archive is kept."),

    // Clips from words
    "NewGeneration.prompt": Note(
      "What is to be seen.", range: Limits.promptScalars, tooLittle: .promptEmpty, tooMuch: .promptTooLong),
    "NewGeneration.seconds": Note(
      "One of the lengths of the offer.", range: Limits.generationSeconds, tooLittle: .generationNotPossible,
      tooMuch: .generationNotPossible),
    "NewGeneration.style": Note("Left out: none."),
    "NewGeneration.aspect": Note("Width to height, one of the offer. Left out: upright."),
    "NewGeneration.from_clip_id": Note(
      "A clip of one's own whose picture it starts from, where the offer has that.", spelling: id),
    "NewGeneration.picture_id": Note(
      "A picture of one's own that it starts from, where the offer has that, in the place of a clip.",
      spelling: id),
    "GenerationRefinement.prompt": Note(
      "The whole prompt as it is to be now; everything else stays.", range: Limits.promptScalars,
      tooLittle: .promptEmpty, tooMuch: .promptTooLong),
    "Generation.credits": Note("What it costs. They are given back for one that is not made."),
    "Generation.ended_at": Note("RFC 3339, in UTC. Left out while it is under way."),
    "Generation.permille": Note("Of the whole work. It never goes back.", range: 0...1000),
    "Generation.remaining_ms": Note("Left out while nobody can say, and once it is over."),
    "Generation.place": Note("While it waits here: how many go before it at most, itself included."),
    "Generation.refines_id": Note("The one that it refines. It may be gone by now."),
    "Generation.picture_id": Note("The picture that it starts from, which is kept as long as this."),
    "Generation.clip_id": Note("Once it is ready: a clip that its owner alone sees until it is published."),
    "Generation.upload_id": Note(
      "By this its clip is watched (`GET uploads/{id}/clip`), changed and deleted: a secret."),
    "Generation.is_published": Note("It was shown once; who sees the clip now is said by the clip."),
    "Generation.problem": Note("Why there is none, of one that failed or expired."),
    "GenerationPicture.expires_at": Note("RFC 3339, in UTC: when it goes if nothing starts from it."),
    "GenerationOffer.credits_left": Note("Today, in UTC."),
    "GenerationOffer.lengths": Note("Empty where nobody makes videos."),
    "GenerationOffer.starts_from_pictures": Note(
      "Whether it can start from a picture that is sent. Left out: no."),
    "GenerationOffer.under_way": Note("How many one has under way now."),
    "GenerationLength.usual_ms": Note(
      "From its turn to the clip, by the median of the last ones. Left out while nobody knows."),

    // Webhooks
    "Webhook.problem": Note("Why it was switched off, where its owner did not ask for that."),
    "Webhook.delivered_at": Note("When it took a message the last time."),
    "WebhookList.items": Note("Made first first."),
    "WebhookList.most": Note("How many one may have; 0 where this server sends none for accounts."),
    "WebhookList.verified": Note(
      "Whether one's sign-in was verified: before that none can be made (`verification_needed`)."),
    "NewWebhook.address": Note(
      "An address of https, on the open network.", spelling: Spelling("!-~", Limits.webhookAddressLength)),
    "NewWebhook.events": Note("At least one.", range: 1...WebhookEvent.allCases.count),
    "WebhookChange.events": Note(
      "All that it is to hear of. Left out: as before.", range: 1...WebhookEvent.allCases.count),
    "WebhookChange.enabled": Note("Left out: as before."),
    "WebhookWithSecret.secret": Note(
      "By which messages are signed: `whsec_` and base64. It is not said again."),
    "WebhookDelivery.id": Note("The `webhook-id` of each try: the same again is the same message."),
    "WebhookDelivery.event": Note("`webhook.test`, or one of those that can be chosen."),
    "WebhookDelivery.tried_at": Note("The last try."),
    "WebhookDelivery.status": Note("Of the last answer; left out where none came."),
    "WebhookDelivery.problem": Note("Why no answer came."),
    "WebhookDelivery.next_at": Note("While it waits for another try."),

    // Clips
    "Clip.ai_generated": Note(
      "True for a clip that was made by AI: here, or as the file says that was uploaded (IPTC's digital source type, in "
        + "XMP or C2PA). Left out for all others."),
    "Clip.sound_id": Note(
      "The sound that it shares with other public clips, whose page is `/s/{id}`. Left out where no other is known to have "
        + "the same audio, and of a clip that is not public."),
    "Clip.tags": Note("Without `#`, in lower case."),
    "Clip.visibility": Note(
      "Left out for a public clip. For another one all media addresses end after an hour or two; ask for the clip "
        + "again to get new ones."),
    "Clip.for_adults": Note("True for a clip that is for adults alone; left out of every other one."),
    "Clip.poster": Note("The exact first frame."),
    "Clip.cover": Note("Left out where the poster is the cover."),
    "Playback.renditions": Note("In ascending quality; a clip that is new may have only the smallest."),
    "Playback.hls_url": Note("The same clip as HLS."),
    "Playback.retention": Note(
      "How many of those who start the clip still watch it after 0, 1, 2 … seconds, loops included, in millionths. The last "
        + "one stays. Left out until 30 have started it.", range: 1...128),
    "Playback.retention.*": Note(range: 0...1_000_000),
    "Playback.retention_version": Note("A larger number is made of more starts."),
    "Rendition.codecs": Note("RFC 6381, ready for `MediaSource.isTypeSupported`."),
    "CaptionTrack.language": Note("BCP 47."),

    "Author.picture": Note(
      "Their face; left out of somebody who has none, and where only the name counts."),
    "AuthorPicture.color": Note("The mean of the picture, for the time until it has come: `#rrggbb`."),
    "AuthorPicture.large_url": Note("A square JPEG of \(AuthorPicture.largeSide) pixels a side."),
    "AuthorPicture.small_url": Note("The same with \(AuthorPicture.smallSide) pixels a side."),

    // Search
    "FoundTag.tag": Note("Without `#`, in lower case."),
    "FoundTag.clips": Note("Public clips that have it."),
    "FoundSound.clips": Note("Public clips that have it."),
    "FoundSound.author": Note(
      "Whoever made the first public clip that has it: the first that whoever asks may see."),
    "FoundSound.caption": Note("Of that clip."),
    "FoundSound.poster": Note("The exact first frame of that clip."),
    "SearchSuggestion.text": Note(
      "What to look for: a tag without its `#`, a handle without its `@`, or words to put into `q`."),
    "SearchSuggestion.clips": Note("Of a tag: public clips that have it."),
    "SearchSuggestion.person": Note("Of a person."),

    // Profiles
    "Profile.bio": Note("Plain text of some lines; empty if they said nothing."),
    "Profile.clips": Note("Public ones."),
    "Profile.following": Note("Authors whom they follow."),
    "Profile.likes_public": Note("Others are shown the public clips that they like."),
    "ProfileViewer.followed": Note("They follow whoever asks."),
    "ProfileViewer.blocked": Note("By whoever asks; to whoever they have blocked they are not there."),
    "ProfileChange.bio": Note(
      "At most \(Limits.bioLength) characters as a person counts them; empty for none.",
      range: 0...Limits.bioScalars, tooMuch: .bioTooLong),
    "ProfileChange.likes_public": Note(
      "Whether others are shown the public clips that whoever asks likes; they are not until this is said."),
    "ProfileChange.links": Note(
      "All of them, in their order.", range: 0...Limits.profileLinks, tooMuch: .profileLinkInvalid),
    "ProfileChange.links.*": Note(
      "A web address; `https://` is put in front of one without a scheme.",
      range: 1...Limits.profileLinkBytes, tooLittle: .profileLinkInvalid, tooMuch: .profileLinkInvalid),

    // Comments and reactions
    "NewComment.text": Note(
      "At most \(Limits.commentLength) characters as a person counts them (grapheme clusters).",
      range: 1...Limits.commentScalars, tooLittle: .commentEmpty, tooMuch: .commentTooLong),
    "NewComment.reply_to": Note(
      "The comment of the same clip that it answers. Of a reply: it hangs under the same comment as that.",
      spelling: id),
    "ClipComment.author": Note("Left out for a guest."),
    "ClipComment.parent_id": Note(
      "The comment that it answers; null for one that stands under the clip itself.", isAlwaysThere: true),
    "ClipComment.replies": Note("How many are shown under it; a reply has none."),
    "ClipComment.liked": Note("By whoever asks."),
    "ClipComment.pinned": Note("Whoever made the clip put it first."),
    "ClipComment.own": Note("Whoever asks wrote it, as an account or as a guest."),
    "ClipComment.held": Note(
      "It waits until whoever made the clip has looked: nobody but the two sees it. Left out of all others."),
    "CommentFilters.words": Note(
      "A comment with one of them waits. Upper and lower case, accents and letters that look alike make no difference.",
      range: 0...Limits.filterWords),
    "CommentFilters.words.*": Note(range: Limits.filterWordScalars),
    "CommentFilters.hold_links": Note("A comment with an address of the web or of e-mail waits."),
    "CommentFilters.followers_only": Note("Whoever does not follow the account cannot comment."),
    "HeldComment.reason": Note(
      "`word`: one of the account's words; `link`; `site`: the list that this site has."),
    "HeldComment.word": Note("The account's word; left out for another reason."),
    "HeldCommentPage.held": Note(
      "How many wait in all; \(Limits.heldComments) means as many and more."),

    "Counts.reactions": Note("By reaction; those that it never got are left out."),

    // Messages
    "NewMessage.text": Note(
      "At most \(Limits.messageLength) characters as a person counts them (grapheme clusters).",
      range: 1...Limits.messageScalars, tooLittle: .messageEmpty, tooMuch: .messageTooLong),
    "NewMessage.clip_id": Note("A clip that the message is about.", spelling: id),
    "Message.clip_id": Note("It may be gone by now."),
    "Message.is_own": Note("Whoever asks wrote it."),
    "Conversation.unread": Note("Messages of the other one that were not read yet."),
    "MessagesRead.up_to": Note("The id of the newest message that was seen.", spelling: id),
    "LiveEvent.message_id": Note("Of a message: its id, in the conversation with the actor."),
    "LiveEvent.reaction": Note("Of a reaction: which."),
    "LiveEvent.comment_id": Note("Of a comment, a reply or a mention: the comment in which it is."),

    // Reports and moderation
    "NewReport.subject_id": Note(
      "The id of the clip, the comment, the message or the person.", spelling: id),
    "NewReport.note": statement("What else there is to know."),
    "Report.state": Note(
      "`acted`: something was done about it, or whoever it was about is gone. `dismissed`: nothing was found."
    ),
    "Decision.clip_id": Note("The clip itself, or the one under which the comment stood."),
    "Decision.text": Note("What was decided about, in its words; empty where it has none."),
    "Decision.until": Note("When a suspension ends; left out where it has no end of its own."),
    "Decision.review": Note(
      "What was answered to the appeal, or said when the decision was taken back without one."),
    "Decision.appeal_until": Note("Left out where there is an appeal, or can be none any more."),
    "NewAppeal.text": statement("Why the decision is wrong.", range: 1...Limits.statementScalars),
    "ModerationCase.text": Note("What is reported, in the words that it had when it was."),
    "ModerationCase.person": Note("Left out for a guest, and for an account that is gone."),
    "ModerationCase.clip": Note("Left out where there is none, and where it is gone."),
    "ModerationCase.reasons": Note("The gravest first."),
    "ModerationCase.reporters": Note("Everybody counts once."),
    "CaseFile.reports": Note("The newest ones."),
    "CaseFile.decisions": Note("Newest first."),
    "CaseReport.reporter": Note("Left out for a guest."),
    "CaseReport.acted": Note("Of the reporter's other reports: something was done about so many."),
    "CaseReport.dismissed": Note("Of the reporter's other reports: nothing was found in so many."),
    "CaseDecision.moderator": Note("Left out for an account that is gone."),
    "CaseDecision.can_review": Note("Whoever asks can answer the appeal, or take the decision back."),
    "NewDecision.statement": statement(
      "What whoever it is about is told; with `dismiss` a note for other moderators."),
    "NewDecision.days": Note(
      "Of a suspension; without it the suspension lasts until it is taken back.",
      range: Limits.suspensionDays, tooLittle: .decisionNotPossible, tooMuch: .decisionNotPossible),
    "DecisionReview.statement": statement(
      "What whoever it is about is told.", range: 1...Limits.statementScalars),

    "PersonRecord.limits": Note("Clips that were limited, by age or in their reach."),
    "RestrictedMode.restricted": Note("Clips that are for adults alone are nowhere."),
    "RestrictedMode.confirmed_at": Note(
      "When the account said that it is an adult's. RFC 3339, in UTC. Left out until it has."),
    "RestrictedModeChange.is_adult": Note(
      "The account says that it is an adult's: needed once, to end restricted mode."),

    // What was watched
    "WatchEvents.sent_at_ms": Note(
      "When it is sent, by the clock of the events: from it the server learns how wrong that clock is.",
      range: Limits.eventAtMs.asInts),
    "WatchEvents.events": Note(range: Limits.eventsInBatch),
    "WatchEvent.id": Note(
      "Chosen anew for each event; it counts once.", spelling: Spelling("A-Za-z0-9_-", Limits.eventIDLength)),
    "WatchEvent.clip_id": Note(spelling: id),
    "WatchEvent.at_ms": Note("By the client's clock, since 1970.", range: Limits.eventAtMs.asInts),
    "WatchEvent.took_ms": Note(
      "How long the first frame took, or the stall.", range: Limits.eventTookMs.asInts),
    "WatchEvent.watched_ms": Note("So far.", range: Limits.eventWatchedMs.asInts),
    "WatchEvent.position": Note(
      "The how-manieth clip of this visit it was, from 0.", range: Limits.eventPosition.asInts),
    "WatchEventsTaken.accepted": Note("How many counted, now or when they came before."),
    "WatchEvent.source": Note("How it was come upon: a tab of the feed, a list, its own address."),
    "ClipInsights.impressions": Note("How often it was the clip on a screen."),
    "ClipInsights.viewers": Note(
      "How many have viewed it, each once; a guest who comes back without a cookie is another."),
    "ClipInsights.counted_since": Note(
      "Left out where all was counted since there is the clip. Else impressions, `found` and `days` begin here."
    ),
    "ClipInsights.found": Note("The most frequent first; where it was never come upon is left out."),
    "ClipInsights.days": Note("The last 28, in UTC, the oldest first, today last."),
    "ClipInsights.starts": Note("Visits whose end is known, once for each viewer in half an hour."),
    "ClipInsights.starts_needed": Note("So many it takes for `staying`."),
    "ClipInsights.staying": Note("How long those stay who start it. Left out until there are enough."),
    "ClipInsightsFound.views": Note("The views among them."),
    "ClipInsightsDay.day": Note("Its first instant. What was taken back on it is taken off."),
    "ClipInsightsStaying.watched_share": Note(
      "How much of it was watched, in the mean over visits, each at most once through; in millionths.",
      range: 0...1_000_000),
    "ClipInsightsStaying.completion_share": Note(
      "Of the visits, those that came to its end, in millionths.", range: 0...1_000_000),
    "ClipInsightsStaying.retention": Note("As that of `Playback`, of all visits so far.", range: 1...128),
    "ClipInsightsStaying.retention.*": Note(range: 0...1_000_000),
    "Clip.reason": Note(
      "Why it is shown; only in the tab `for_you`, and of clips that the feed has ordered."),
    "ClipReason.clip_id": Note("With `liked_clip`: which one."),
    "ClipReason.author": Note("With `liked_clip`: who it is of."),
    "ClipReason.count": Note("With `liked_author`: how many of the author's."),
    "ClipReason.tag": Note("With `liked_tag`."),
    "Dismissal.subject": Note(
      "The id of the clip, of the author or of the sound, or the tag.", range: Limits.dismissalSubject),
    "Taste.personalised": Note("If not, `for_you` is what `latest` is."),
    "Taste.tags": Note("The most frequent first."),
    "Taste.authors": Note("The most frequent first."),
    "Taste.dismissed": Note("What `for_you` leaves out as wished, the last one first; clips are not listed."),
    "TasteDismissed.author": Note(
      "With an author; with a sound, whoever made the first public clip that has it."),
    "TasteLikedTag.clips": Note(
      "Of the last hundred clips that were liked or watched to the end, so many have it."),
    "TasteLikedAuthor.clips": Note(
      "Of the last hundred clips that were liked or watched to the end, so many are theirs."),
    "Personalisation.personalised": Note("Whether `for_you` may learn from what whoever asks does."),
    "Clip.viewer": Note("What whoever asks has to do with the clip, if anything."),

    // Accounts
    "NewAccount.handle": handle,
    "NewAccount.password": newPassword,
    "NewAccount.name": personName,
    "NewAccount.email": email,
    "NewAccount.transport": transport,
    "NewSession.handle": Note("Or the e-mail address."),
    "NewSession.transport": transport,
    "PasswordResetRequest.handle": Note("Or the e-mail address."),
    "AccountChange.name": personName,
    "AccountChange.email": Note(
      "Counts once it is confirmed; empty: none any more. Needs the password.",
      range: 0...Limits.emailBytes, tooMuch: .emailInvalid),
    "PasswordChange.new_password": newPassword,
    "NewPassword.password": newPassword,
    "Account.role": Note(choices: ["member", "moderator", "admin"]),
    "Account.has_password": Note("Without one it is opened by providers alone."),
    "Account.email": Note("Once it is confirmed."),
    "Account.pending_email": Note("Waits for that."),
    "Session.access_token": Note("Left out where cookies hold the tokens."),
    "Session.refresh_token": Note("Good once."),
    "Session.expires_at": Note("When the access token ends."),
    "Session.refresh_expires_at": Note("When the session ends, unless it is refreshed before."),
    "AccountNotice.kind": Note(
      "What happened. There may come more; show one that you do not know as something that happened.",
      choices: AccountNotice.Kind.allCases.map(\.rawValue)),
    "AccountNotice.device": Note(
      "Browser and system, coarsely; left out for a client that is none of those that are known."),
    "AccountNotice.provider": Note("Which one was connected or disconnected, as people know it."),
    "AccountNotice.times": Note(
      "More than 1 where so much of a kind happened in a day that the rest of it is told as one."),
    "AccountChange.proof": proof,
    "PasswordChange.proof": proof,
    "AccountDeletion.proof": proof,

    // Signing in by somebody else
    "NewSignIn.transport": Note("Who keeps the flow: a browser's cookie, or the app."),
    "NewAccountSignIn.transport": Note("Who keeps the flow: a browser's cookie, or the app."),
    "NewAccountSignIn.purpose": Note(
      "`connect`: to sign in by it from now on. `confirm`: to show that it is still the same person."),
    "SignInStart.authorization_url": Note("Where the person signs in; of the provider's."),
    "SignInStart.nonce": Note(
      "What the identity token must name, itself or its SHA-256 in hexadecimal. Left out where a cookie holds the flow."
    ),
    "SignInStart.flow": Note("Belongs to the answer. Left out where a cookie holds it."),
    "SignInAnswer.transport": transport,
    "SignInAnswer.flow": Note(
      "Of the start; with the transport `cookie` the cookie has it.", range: 0...1024,
      tooMuch: .requestRefused),
    "SignInAnswer.state": Note(range: 0...Limits.signInTextBytes, tooMuch: .requestRefused),
    "SignInAnswer.code": Note(
      "What the provider sent back. Beside an identity token: Apple's authorization code.",
      range: 0...Limits.signInCodeBytes, tooMuch: .requestRefused),
    "SignInAnswer.iss": Note(
      "Who answered, where that came with the code.", range: 0...Limits.signInTextBytes,
      tooMuch: .requestRefused),
    "SignInAnswer.id_token": Note(
      "Of an app that the system signed in, instead of a code.", range: 0...Limits.identityTokenBytes,
      tooMuch: .requestRefused),
    "SignInAnswer.name": Note(
      "What the person is called, where only the app was told.", range: 0...Limits.signInTextBytes,
      tooMuch: .requestRefused),
    "SignInOutcome.session": Note("One of the two is there."),
    "SignInOutcome.newcomer": Note("Nobody here is known by this yet."),
    "Newcomer.ticket": Note(
      "Makes an account, or connects one that exists. Good for half an hour, once."),
    "Newcomer.handle": Note("A suggestion; free when it was asked for."),
    "Newcomer.known": Note(
      "There is an account with this e-mail address. It is not opened by that: whoever signs in to it can connect it."
    ),
    "NewcomerAccount.ticket": ticket,
    "NewcomerAccount.handle": handle,
    "NewcomerAccount.name": personName,
    "NewcomerAccount.email": email,
    "NewcomerAccount.transport": transport,
    "AccountSignInOutcome.ticket": Note("For the purpose `connect`."),
    "AccountSignInOutcome.proof": Note("For the purpose `confirm`. Good for ten minutes, once."),
    "WaysIn.password": Note("There is one."),
    "ConnectedIdentity.provider": Note("Left out where the operator has taken it away."),
    "ConnectedIdentity.email": Note("As the provider said it then."),
    "NewIdentity.ticket": ticket,
    "NewIdentity.proof": proof,
    "IdentityRemoval.proof": proof,

    // A second step of signing in
    "SecondFactors.code_app_since": Note("Left out where signing in asks for no code."),
    "SecondFactors.recovery_codes": Note("Those that were not used yet."),
    "OwnerProof.proof": proof,
    "OwnerProof.code": Note(
      "Instead of both: a code of the app that is set up.", range: 0...Limits.codeScalars,
      tooMuch: .codeWrong),
    "CodeAppSetup.secret": Note("Of 160 bits, in base32, to be typed."),
    "CodeAppSetup.uri": Note("The same for an app (`otpauth://totp/…`): SHA-1, six digits, 30 seconds."),
    "CodeAppConfirmation.code": Note(
      "A code that the app shows now.", range: 0...Limits.codeScalars, tooMuch: .codeWrong),
    "RecoveryCodes.items": Note("Each opens the account once in place of the app's code."),
    "SecondStep.challenge": Note(
      "Of the problem `second_step_needed`.", spelling: linkToken, tooLittle: .requestRefused),
    "SecondStep.code": Note(
      "Of the app, or a recovery code.", range: 0...Limits.codeScalars, tooMuch: .codeWrong),
    "SecondStep.transport": transport,

    // Keys of devices
    "SignInProviders.passkey_site": Note("Whose passkeys are taken. Left out where there are none."),
    "Passkey.used_at": Note("Left out where nobody came by it yet."),
    "Passkeys.site": Note("Left out where this server takes no new ones."),
    "PasskeySetup.challenge": Note("In base64url, as it goes to the device. Good once, within ten minutes."),
    "PasskeySetup.user": Note("In base64url: the bytes that the device keeps with the key."),
    "PasskeySetup.known": Note("Those that the account has, in base64url."),
    "NewPasskey.client_data": Note(
      "`clientDataJSON` in base64url.", spelling: Spelling("A-Za-z0-9_-", Limits.passkeyClientData),
      tooLittle: .requestRefused),
    "NewPasskey.attestation": Note(
      "`attestationObject` in base64url.", spelling: Spelling("A-Za-z0-9_-", Limits.passkeyAttestation),
      tooLittle: .requestRefused),
    "NewPasskey.name": personName,
    "PasskeyChange.name": personName,
    "PasskeyQuestion.challenge": Note(
      "In base64url, as it goes to the device. Good once, within ten minutes."),
    "PasskeyAnswer.credential": Note(
      "`rawId` in base64url.", spelling: Spelling("A-Za-z0-9_-", Limits.passkeyCredential),
      tooLittle: .requestRefused),
    "PasskeyAnswer.client_data": Note(
      "`clientDataJSON` in base64url.", spelling: Spelling("A-Za-z0-9_-", Limits.passkeyClientData),
      tooLittle: .requestRefused),
    "PasskeyAnswer.authenticator_data": Note(
      "`authenticatorData` in base64url.", spelling: Spelling("A-Za-z0-9_-", Limits.passkeyClientData),
      tooLittle: .requestRefused),
    "PasskeyAnswer.signature": Note(
      "In base64url.", spelling: Spelling("A-Za-z0-9_-", Limits.passkeySignature), tooLittle: .requestRefused),
    "PasskeyAnswer.user": Note(
      "`userHandle` in base64url, where the device names it.",
      spelling: Spelling("A-Za-z0-9_-", Limits.passkeyCredential), tooLittle: .requestRefused),
    "PasskeyAnswer.challenge": Note(
      "Of the problem `second_step_needed`, where this is the second step.", spelling: linkToken,
      tooLittle: .requestRefused),
    "PasskeyAnswer.transport": transport,

    // Keys for programs
    "APIKey.scopes": Note("What it may be used for, at `/v1/videos` alone."),
    "APIKey.used_at": Note("To the minute. Left out where nobody came by it yet."),
    "APIKey.expires_at": Note("Left out where it does not expire."),
    "NewAPIKey.name": personName,
    "NewAPIKey.scopes": Note(range: 1...APIKeyScope.allCases.count),
    "NewAPIKey.expires_in_days": Note("Left out: it does not expire.", range: Limits.apiKeyDays),
    "NewAPIKey.owner": Note("By what somebody shows to be the owner."),
    "MadeAPIKey.secret": Note("What goes behind `Bearer`. It is in no other answer."),

    // Devices that are told of what happens
    "NewPushDevice.token": Note(
      "The device's token at Apple, in hexadecimal.",
      spelling: Spelling("0-9a-f", Limits.deviceTokenLength)),
    "NewPushDevice.topic": Note(
      "The bundle id of the app.", spelling: Spelling("A-Za-z0-9.-", Limits.topicLength)),
    "NewPushDevice.locale": Note(
      "BCP 47: the language in which the app is shown.", spelling: Spelling("A-Za-z0-9-", 2...35)),
    "PushDevice.registered_at": Note("When the app registered it the last time."),
    "PushDevice.is_current": Note("The session that asks registered it."),
    "PushDevices.topic": Note(
      "The bundle id of the app that is written to. Left out where this server sends no notifications."),

    "PushDevice.environment": Note("Left out, as `topic` is, for a browser."),
    "PushDevices.web_key": Note(
      "A point of P-256 in base64url: the `applicationServerKey` of this server. Left out where it writes to no browser."
    ),
    "NewWebDevice.endpoint": Note(
      "The address of the subscription. https, on the open network.",
      spelling: Spelling("!-~", Limits.webEndpointLength)),
    "NewWebDevice.locale": Note(
      "BCP 47: the language of the page.", spelling: Spelling("A-Za-z0-9-", 2...35)),
    "NewWebDeviceKeys.p256dh": Note(
      "The subscription's public key, a point of P-256 that is not compressed, in base64url.",
      spelling: Spelling("A-Za-z0-9_-", Limits.webKeyLength...Limits.webKeyLength)),
    "NewWebDeviceKeys.auth": Note(
      "The subscription's secret, 16 bytes in base64url.",
      spelling: Spelling("A-Za-z0-9_-", Limits.webSecretLength...Limits.webSecretLength)),

    // Notifications
    "NotificationEntry.id": Note("It stays when more of the same joins the entry."),
    "NotificationEntry.kind": Note(
      "A client leaves out kinds that it does not know.", choices: NotificationKind.listed),
    "NotificationEntry.created_at": Note("When the newest of it happened."),
    "NotificationEntry.is_new": Note("It happened after the list was seen the last time."),
    "NotificationEntry.people": Note("Who did it, newest first: the first three. Guests are not in it."),
    "NotificationEntry.count": Note(
      "How many did it; \(Limits.notificationPeople) means as many and more, 0 that nobody did. Of `new_clip`: how many clips, 10 means as many and more."
    ),
    "NotificationEntry.clip": Note(
      "Left out for `follow`, `generation_failed` and `webhook_off`, and for a `decision` about no clip."),
    "NotificationEntry.decision": Note(
      "Of `decision`: what was decided. Its reasons are with all decisions."),
    "NotificationDecision.id": Note(spelling: id),
    "NotificationDecision.outcome": Note(
      "What was answered to an appeal, or that the decision was taken back; left out until then."),
    "NotificationEntry.generation_id": Note("Of `generated` and `generation_failed` alone."),
    "NotificationEntry.comment": Note(
      "Of `comment`, `reply` and `mention` the one that was written, of `comment_like` one's own."),
    "NotificationClip.picture": Note(
      "Its cover, or else its first frame; left out where it cannot be watched."),
    "NotificationComment.parent_id": Note(
      "The comment that it answers; left out for one that stands under the clip itself."),
    "NotificationPage.mark": Note(
      "What was there when this page was made: who has seen it sends this to `PUT notifications/seen`."),
    "NotificationsSeen.up_to": Note(
      "`mark` of the page that was seen.", spelling: Spelling("0-9", Limits.notificationMarkLength)),
    "UnseenCount.unseen": Note("\(Limits.unseenNotifications) means as many and more."),
    "NotificationSetting.kind": Note(choices: NotificationKind.all),
    "NotificationSetting.list": Note(
      "It stands in the list. Left out for kinds that never do: messages have a list of their own."),
    "NotificationSetting.push": Note(
      "It is told on devices and in browsers while nobody looks. Left out for kinds that never are: decisions of moderators."
    ),
    "NotificationSettingsChange.items": Note(
      "Kinds that are not in it stay as they are.", range: 0...NotificationKind.all.count),
    "NotificationSettingsChangeItem.kind": Note(choices: NotificationKind.all),
    "NotificationSettingsChangeItem.list": Note("Without effect for kinds that never stand in the list."),
    "NotificationSettingsChangeItem.push": Note("Without effect for kinds that are never told on devices."),

    // Uploads
    "NewUpload.size_bytes": Note(
      "Of the whole file.", range: 1...Limits.sourceBytes, isDemanded: true, tooLittle: .emptyFile,
      tooMuch: .fileTooLarge),
    "NewUpload.sha256": Note(
      "Of the whole file.", spelling: hash, isDemanded: true, tooLittle: .requestRefused),
    "NewUpload.type": Note(
      "The media type that the sender believes it is; the content decides.", range: 0...Limits.mediaTypeLength
    ),
    "NewUpload.digital_source_type": Note(
      "What a file said of AI of which this one was made (cut, or made smaller), in IPTC's words. It adds to what the bytes say "
        + "that arrive, and never takes anything away."),
    "ClipDetails.caption": Note(
      "What is longer than \(Limits.captionLength) characters is cut.", range: 0...Limits.detailScalars),
    "ClipDetails.tags": Note(
      "Without `#`; those in the caption count as well. What is no word or longer than \(Limits.tagLength) characters is left "
        + "out, and so is what comes after \(Limits.tags) of them.", range: 0...Limits.tagsSent),
    "ClipDetails.tags.*": Note(range: 0...Limits.detailScalars),
    "ClipDetails.cover_ms": Note(
      "The instant whose picture stands for the clip; one behind its end means its last picture.",
      range: Limits.coverMs),
    "ClipDetails.for_adults": Note(
      "It is for adults alone, as its creator says; what moderators say of it stays whatever this is."),
    "ClipDetails.language": Note(
      "The language of what is spoken or written in it: the two or three letters that begin a tag of BCP 47, such as `en`. Left "
        + "out of a new upload: the first language of `Accept-Language`. It says before whom a clip that rises is put first, and "
        + "is shown to nobody but its owner.", spelling: Spelling("A-Za-z", 2...3)),
    "UploadStatus.offset": Note("Bytes that the server holds, from the first one on without a gap."),
    "UploadStatus.direct": Note(
      "While bytes may go straight to the storage: an address for `PUT` of each missing part."),
    "UploadProblem.code": Note(choices: ErrorCode.allCases.map(\.rawValue)),
    "UploadedClip.permille": Note("Of the whole work, in thousandths."),
    "OwnClip.upload_id": Note("By this the clip is changed and deleted: a secret."),
    "OwnClip.clip_id": Note("Left out for a file that became no clip."),
    "OwnClip.visibility": Note(
      "As it is, or will be as soon as the clip is there; for one that is removed, as it will be if it comes back."
    ),
    "OwnClip.for_adults": Note(
      "True where its creator says that it is for adults alone; left out where not."),
    "OwnClip.permille": Note("Of the whole work, in thousandths; only while the clip is being made."),
    "OwnClip.problem": Note("Why a refused one cannot become a clip."),
    "OwnClip.removed_until": Note("Until when one that is removed can be had back."),
    "OwnClip.picture": Note(
      "Its cover, or else its poster. For a clip that is not public the address ends after an hour or two."),
  ]

  /// By type, what one property asks of another.
  static let needs: [String: [Schema.Need]] = [
    "WatchEvent": [
      .init("took_ms", if: "kind", isOneOf: "first_frame", "stall"),
      .init("watched_ms", if: "kind", isOneOf: "progress", "skip"),
    ]
  ]
}

extension ClosedRange<Int64> {
  fileprivate var asInts: ClosedRange<Int> { Int(lowerBound)...Int(upperBound) }
}
