public import Contract

/// What a person does with a comment.
extension CommentsModel {
  // MARK: Likes

  public func isLiked(_ comment: ClipComment) -> Bool { turned[comment.id] ?? comment.liked }

  /// With one's own, reckoned from what the server said last, so that no answer counts it twice.
  public func likes(of comment: ClipComment) -> Int {
    let own = (isLiked(comment) ? 1 : 0) - (comment.liked ? 1 : 0)
    return max(0, max(0, comment.likes).addingReportingOverflow(own).partialValue)
  }

  /// Shows at once; what fails is taken back and said.
  public func toggleLike(_ comment: ClipComment) {
    let (known, id, client) = (isLiked(comment), comment.id, client)
    turned[id] = !known
    activity.turn(
      CommentLike.name(of: id), !known, known: known,
      ActivityHost.Toggle(
        send: { try await CommentLike.ask(id, $0, client) },
        confirm: { [weak self] isOn, answer in
          self?.turned[id] = nil
          self?.change(id) { comment in
            comment.likes = max(0, answer?.count ?? comment.likes)
            comment.liked = isOn
          }
        },
        revert: { [weak self] _, error in
          guard let self else { return }
          turned[id] = nil
          let failure = error.map { RequestFailure($0) }
          if failure?.isOne(of: .commentNotFound) == true {
            announcements.post(.commentGone)
            removed(id)
          } else {
            announcements.post(.likeFailed)
          }
        }))
  }

  // MARK: Reports

  /// Nobody reports what they wrote themselves.
  public func canReport(_ comment: ClipComment) -> Bool { !comment.own }

  // MARK: Links

  public func linkCopied() { announcements.post(.linkCopied) }

  // MARK: Pins

  /// A comment under the clip itself, for whoever made the clip.
  public func canPin(_ comment: ClipComment) -> Bool {
    isCreator && comment.parentId == nil && comment.held != true
  }

  /// Puts it first, in the place of another, or back to its place.
  public func setPinned(_ isOn: Bool, _ comment: ClipComment) async {
    do {
      let answer = try await isOn ? client.pinComment(comment.id) : client.unpinComment(comment.id)
      changeAll { other in
        if other.id == answer.id { other = answer } else if isOn { other.pinned = false }
      }
      announcements.post(isOn ? "The comment is pinned." : "The comment is not pinned any more.")
      // Where it stands among the most liked is the server's to say.
      if !isOn, order == .top { await reload() }
    } catch {
      if !Sentence.isSilent(error) { announcements.post(RequestFailure(error).sentence) }
    }
  }

  // MARK: Deletion

  public func canDelete(_ comment: ClipComment) -> Bool { comment.own || isCreator }

  /// With its replies, at once; what fails is there again, and said.
  public func delete(_ comment: ClipComment) async {
    guard gone.insert(comment.id).inserted else { return }
    do {
      try await client.deleteComment(comment.id)
    } catch {
      let failure = RequestFailure(error)
      // Gone is what it was to be.
      guard failure.isOne(of: .commentNotFound) else {
        gone.remove(comment.id)
        announcements.post(Sentence("The comment was not deleted. %@", [.sentence(failure.sentence)]))
        return
      }
    }
    removed(comment.id)
    if let parent = comment.parentId { addReplies(-1, to: parent) }
    await recount()
  }

  /// The server does not have it any more.
  func removed(_ id: String) {
    gone.insert(id)
    list.remove { $0.id == id }
    fresh.removeAll { $0.id == id }
    held.removeAll { $0.id == id }
    if led?.id == id { led = nil }
    threads[id] = nil
    for thread in threads.values { thread.remove(id) }
    if let answered, answered.id == id || answered.parentId == id { takeReplyBack() }
  }

  // MARK: Changes

  func change(_ id: String, _ change: (inout ClipComment) -> Void) {
    changeAll { if $0.id == id { change(&$0) } }
  }

  /// Each as often as it is held.
  func changeAll(_ change: (inout ClipComment) -> Void) {
    list.change(change)
    for index in fresh.indices { change(&fresh[index]) }
    for index in held.indices { change(&held[index]) }
    if var comment = led {
      change(&comment)
      led = comment
    }
    for thread in threads.values { thread.change(change) }
  }

  func addReplies(_ by: Int, to parent: String) {
    change(parent) { $0.replies = max(0, $0.replies.addingReportingOverflow(by).partialValue) }
  }

  /// As the server has it now.
  func renew(_ id: String) async {
    guard let comment = try? await client.comment(id) else { return }
    change(id) { $0 = comment }
  }
}
