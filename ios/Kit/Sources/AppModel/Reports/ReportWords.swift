public import Contract

/// What people report, and for what, in words. Each is said here and nowhere else.
extension ReportReason {
  public var sentence: Sentence {
    switch self {
    case .spam: "Spam or a scam"
    case .harassment: "Bullying or harassment"
    case .hate: "Hate"
    case .violence: "Violence or threats"
    case .nudity: "Nudity or sex"
    case .minors: "A child is in danger"
    case .selfHarm: "Suicide or self-harm"
    case .illegal: "Something illegal"
    case .misinformation: "False information"
    case .rights: "Stolen work, name or picture"
    case .other: "Something else"
    }
  }

  /// What is meant by that, where it needs to be said.
  public var hint: Sentence? {
    switch self {
    case .spam: "Advertising, the same again and again, or somebody after money or passwords"
    case .harassment: "Somebody is insulted, exposed or followed around"
    case .hate: "Against people for who they are"
    case .violence: "It shows it, praises it or announces it"
    case .minors: "Or is shown as no child may be"
    case .illegal: "Drugs, weapons, stolen things"
    case .misinformation: "Something untrue that does harm"
    case .rights: "Used without the leave of whoever it belongs to"
    case .nudity, .selfHarm, .other: nil
    }
  }

  /// What cannot wait for a moderator.
  public var warning: Sentence? {
    switch self {
    case .minors, .selfHarm, .violence:
      "If somebody is in danger right now, call the emergency services first."
    default: nil
    }
  }
}

extension ReportedKind {
  public var sentence: Sentence {
    switch self {
    case .clip: "A clip"
    case .comment: "A comment"
    case .message: Sentence("A message")
    case .person: "A person"
    }
  }

  /// What the sheet is called.
  public var title: Sentence {
    switch self {
    case .clip: "Report this clip"
    case .comment: "Report this comment"
    case .message: Sentence("Report this message")
    case .person: "Report this person"
    }
  }
}

extension Report.State {
  public var sentence: Sentence {
    switch self {
    case .open: "Moderators will look at it."
    case .acted: "Something was done about it."
    case .dismissed: "Nothing was found against the rules."
    }
  }
}

extension Decision {
  /// What was done.
  public var headline: Sentence {
    switch action {
    case .dismiss: "Nothing was found against the rules."
    case .warn: "You were warned."
    case .suspend: "Your account was suspended."
    case .ageLimit: "Your clip is for adults only now."
    case .limitReach: "Your clip is recommended to nobody now."
    case .remove:
      switch kind {
      case .clip: "Your clip was removed."
      case .comment: "Your comment was removed."
      case .message: Sentence("Your message was removed.")
      case .person: "Your picture was removed."
      }
    }
  }

  /// How it is with it now; `nil`: it stands, and nothing more is to be said.
  public var standing: Sentence? {
    switch state {
    case .standing: action == .suspend && until == nil ? "Until it is taken back." : nil
    case .over: "This is over."
    case .reversed: "This was taken back."
    }
  }

  /// What came of the appeal, or that it was taken back without one.
  public var answered: Sentence {
    switch review?.outcome {
    case nil: "Another moderator looks at it. The answer comes here."
    case .upheld: "The decision stands."
    case .reversed: "The decision was taken back."
    }
  }
}
