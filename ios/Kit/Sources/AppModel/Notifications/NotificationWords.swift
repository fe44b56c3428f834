public import Contract

/// Where a notification leads.
public enum NotificationPlace: Equatable, Sendable {
  case clip(String)
  case comment(String, of: String)
  case person(Author)
  /// More than one follows.
  case followers
  /// Of one's own, which say what became of them.
  case ownClips
  /// A clip from words; `nil`: a server that does not say which.
  case generation(String?)
  /// Of moderators, with their reasons.
  case decisions
  /// One's own.
  case webhooks
}

extension NotificationEntry {
  /// What happened; `nil`: a newer server's kind, which is left out.
  public var sentence: Sentence? {
    switch kind {
    case NotificationKind.like:
      sentence("%@ likes your clip.", "%1$@ and %2$@ like your clip.", "%1$@ and %2$@ others like your clip.")
    case NotificationKind.commentLike:
      sentence(
        "%@ likes your comment.", "%1$@ and %2$@ like your comment.",
        "%1$@ and %2$@ others like your comment.")
    case NotificationKind.follow:
      sentence("%@ follows you.", "%1$@ and %2$@ follow you.", "%1$@ and %2$@ others follow you.")
    case NotificationKind.comment: Sentence("%@ commented on your clip.", [first])
    case NotificationKind.reply: Sentence("%@ replied to your comment.", [first])
    case NotificationKind.mention: Sentence("%@ mentioned you in a comment.", [first])
    case NotificationKind.published: "Your clip is published."
    case NotificationKind.failed: "Your clip could not be published."
    case NotificationKind.decision:
      switch decision?.outcome {
      case nil: "A moderator decided something about you or what you made."
      case .upheld: "A moderator answered your appeal."
      case .reversed: "A moderator took a decision back."
      }
    case NotificationKind.generated: "Your clip is made: have a look."
    case NotificationKind.generationFailed: "Your clip could not be made."
    case NotificationKind.webhookOff: "A webhook of yours was switched off."
    case NotificationKind.newClip:
      Sentence(count > 1 ? "%@ published new clips." : "%@ published a clip.", [first])
    default: nil
    }
  }

  /// In whose words: the comment's, or the clip's; `nil`: there are none.
  public var words: String? {
    let text = comment?.text ?? clip?.caption ?? ""
    return text.isEmpty ? nil : text
  }

  public var place: NotificationPlace? {
    switch kind {
    case NotificationKind.follow:
      guard count <= 1, let author = people.first, author.hasProfile else { return .followers }
      return .person(author)
    case NotificationKind.failed: return .ownClips
    case NotificationKind.generated, NotificationKind.generationFailed: return .generation(generationId)
    case NotificationKind.decision: return .decisions
    case NotificationKind.webhookOff: return .webhooks
    default:
      guard let clip else { return nil }
      return comment.map { .comment($0.id, of: clip.id) } ?? .clip(clip.id)
    }
  }

  private func sentence(_ one: String, _ two: String, _ many: String) -> Sentence {
    // A number that comes over the network.
    let others = max(count, people.count).subtractingReportingOverflow(1).partialValue
    switch others {
    case ...0: return Sentence(one, [first])
    case 1:
      return Sentence(two, [first, people.count > 1 ? Self.name(of: people[1]) : .key("somebody else")])
    default:
      let isMore = count >= Limits.notificationPeople
      return Sentence(
        many, [first, .verbatim(isMore ? "\(Limits.notificationPeople - 1)+" : "\(others)")])
    }
  }

  private var first: Sentence.Argument { people.first.map(Self.name) ?? .key("Somebody") }

  private static func name(of author: Author) -> Sentence.Argument {
    if !author.name.isEmpty { return .verbatim(author.name) }
    return author.handle.isEmpty ? .key("Somebody") : .verbatim("@" + author.handle)
  }
}

extension NotificationSetting {
  /// What it is about; `nil`: a newer server's kind, which is left out.
  public var title: Sentence? {
    switch kind {
    case NotificationKind.like: "Likes of your clips"
    case NotificationKind.commentLike: "Likes of your comments"
    case NotificationKind.comment: "Comments on your clips"
    case NotificationKind.reply: "Replies to your comments"
    case NotificationKind.mention: "Comments that name you"
    case NotificationKind.follow: "People who follow you"
    case NotificationKind.published: "Clips that are published"
    case NotificationKind.failed: "Clips that could not be published"
    case NotificationKind.decision: "Decisions of moderators"
    case NotificationKind.generated: "Clips that were made from your words"
    case NotificationKind.generationFailed: "Clips that could not be made from your words"
    case NotificationKind.webhookOff: "Webhooks that were switched off"
    case NotificationKind.newClip: "Clips of people you follow"
    case NotificationKind.message: Sentence("Messages to you")
    case NotificationKind.reaction: "Reactions to your clips"
    default: nil
    }
  }
}
