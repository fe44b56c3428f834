internal import Contract

/// Whether others are shown what one likes, which is sent as soon as it is turned. It shows at once; what
/// fails is taken back and said.
extension ProfileEditModel {
  public var showsLikes: Bool { wantsLikesPublic ?? profile?.likesPublic ?? false }

  public func showLikes(_ isOn: Bool) async {
    guard let account = profile?.author.id else { return }
    wantsLikesPublic = isOn
    let earlier = turning
    let change = Task<Void, Never> {
      await earlier?.value
      await send(isOn, of: account)
    }
    turning = change
    await change.value
    // It may be turned again by now.
    if turning == change { wantsLikesPublic = nil }
  }

  private func send(_ isOn: Bool, of account: String) async {
    // Somebody else is here by now.
    guard profile?.author.id == account else { return }
    do {
      let answer = try await client.changeProfile(ProfileChange(likesPublic: isOn))
      guard profile?.author.id == account else { return }
      profile?.likesPublic = answer.likesPublic
      if let profile { turned(profile) }
    } catch {
      if profile?.author.id == account, !Sentence.isSilent(error) { say(Sentence(for: error)) }
    }
  }
}
