public import Contract

extension HeldComment {
  /// Why it waits.
  public var why: Sentence {
    switch reason {
    case .word: Sentence("It has “%@” in it.", word ?? "")
    case .link: "It has a link in it."
    case .site: "This site has it looked at."
    }
  }
}

extension FiltersModel.Rule {
  public var title: Sentence {
    switch self {
    case .holdsLinks: "Hold comments with links"
    case .followersOnly: "Only followers may comment"
    }
  }
}
