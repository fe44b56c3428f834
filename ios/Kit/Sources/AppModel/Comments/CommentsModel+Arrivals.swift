internal import Contract

/// What comes while somebody reads: by a link, told live, and looked for in growing pauses.
extension CommentsModel {
  /// Between two looks: as long as something new comes, and when nothing does.
  static let pauses: ClosedRange<Duration> = .seconds(10)...(.seconds(60))

  static func pause(after pause: Duration, found: Bool) -> Duration {
    found ? pauses.lowerBound : min(pause * 2, pauses.upperBound)
  }

  // MARK: The screen

  public func appeared() async {
    isShown = true
    watch()
    async let leading: Void = lead()
    await list.begin()
    await leading
  }

  public func left() {
    isShown = false
    stopWatching()
    mentions.clear()
    field.store()
  }

  /// Whether the first of them can be seen: what comes is shown there, and else held back.
  public func setAtTop(_ isTop: Bool) {
    isAtTop = isTop
    if isTop { showHeld() }
  }

  /// Above nothing there is nothing to read.
  private var showsAtOnce: Bool { isAtTop || comments.isEmpty }

  public func showHeld() {
    guard !held.isEmpty else { return }
    fresh = held + fresh
    held = []
  }

  /// The app is in front: what was written meanwhile is asked for at once.
  func resume() {
    guard isShown else { return }
    watch()
    Task { await look() }
  }

  func stopWatching() {
    watching?.cancel()
    watching = nil
  }

  private func watch() {
    guard watching == nil else { return }
    watching = Task { [weak self, clock] in
      var pause = Self.pauses.lowerBound
      while (try? await clock.pause(pause)) != nil {
        guard let found = await self?.look(), !Task.isCancelled else { return }
        pause = Self.pause(after: pause, found: found)
      }
    }
  }

  // MARK: Looking

  /// Asks for what is new. True if something was.
  @discardableResult public func look() async -> Bool {
    looksAgain = true
    guard !isLooking else { return false }
    isLooking = true
    defer { isLooking = false }
    var found = false
    while looksAgain {
      looksAgain = false
      if await lookOnce() { found = true }
    }
    return found
  }

  private func lookOnce() async -> Bool {
    await lead()
    guard !list.isLoading else { return false }
    guard list.failure == nil || !list.items.isEmpty else {
      await list.more()
      return !list.items.isEmpty
    }
    let (asked, begun) = (order, list.beginning)
    let before = Set((fresh + held + list.items).map(\.id))
    guard
      let page = try? await client.comments(
        on: clip.id, order: asked, limit: PagedList<ClipComment>.usualSize),
      asked == order, begun == list.beginning
    else { return false }
    return await take(page, before)
  }

  /// `before`: what was there when the page was asked for; only of that the page can tell that it is gone.
  private func take(_ page: CommentPage, _ before: Set<String>) async -> Bool {
    let known = Set((fresh + held + list.items).map(\.id))
    let new = page.items.filter { !known.contains($0.id) && !gone.contains($0.id) }
    if !page.items.isEmpty, page.nextCursor != nil,
      !page.items.contains(where: { !$0.pinned && $0.held != true && known.contains($0.id) })
    {
      // So much is new that what lies between is not known.
      await reload()
      await recount()
      return true
    }
    let answered = update(page)
    let lost = absent(from: page, before)
    for id in lost { removed(id) }
    switch order {
    case .newest: if showsAtOnce { fresh = new + fresh } else { held = new + held }
    case .top:
      for (index, comment) in page.items.enumerated() where new.contains(where: { $0.id == comment.id }) {
        list.insert(comment, at: index)
      }
    }
    for id in answered { await threads[id]?.look() }
    if !new.isEmpty || !lost.isEmpty || !answered.isEmpty { await recount() }
    return !new.isEmpty || !answered.isEmpty
  }

  /// Shows what the page says of those that are known. Answers those with another number of replies.
  private func update(_ page: CommentPage) -> Set<String> {
    let known = Dictionary(page.items.map { ($0.id, $0) }) { first, _ in first }
    let pinned = page.items.first(where: \.pinned)?.id
    var answered: Set<String> = []
    changeAll { comment in
      if let now = known[comment.id] {
        if now.replies != comment.replies { answered.insert(comment.id) }
        comment = now
      } else if comment.pinned, comment.id != pinned {
        comment.pinned = false
      }
    }
    return answered
  }

  /// Those that the page would have, were they still there.
  private func absent(from page: CommentPage, _ before: Set<String>) -> Set<String> {
    let ids = Set(page.items.map(\.id))
    let rest = (fresh + held + list.items).filter { before.contains($0.id) && !ids.contains($0.id) }
    guard page.nextCursor != nil else { return Set(rest.map(\.id)) }
    guard order == .newest, let oldest = page.items.last?.createdAt else { return [] }
    return Set(rest.filter { $0.createdAt > oldest }.map(\.id))
  }

  // MARK: Announced live

  /// Somebody wrote one under this clip.
  func announced(_ id: String?) async {
    await look()
    guard let id, let comment = try? await client.comment(id), comment.clipId == clip.id, !gone.contains(id)
    else { return }
    if let parent = comment.parentId {
      makeThread(of: parent).add(comment)
      await renew(parent)
      await recount()
    } else if !(fresh + held + list.items).contains(where: { $0.id == id }) {
      // The first page has it not where those with the most likes stand first.
      if showsAtOnce { fresh.insert(comment, at: 0) } else { held.insert(comment, at: 0) }
      await recount()
    }
  }

  // MARK: Links

  /// Shows a comment first, with what it answers, and marks it.
  public func show(_ id: String) {
    wanted = id
    if isShown { Task { await lead() } }
  }

  private func lead() async {
    guard let id = wanted else { return }
    do {
      let comment = try await client.comment(id)
      guard comment.clipId == clip.id else { return lost(id, .commentGone) }
      guard let parent = comment.parentId else { return mark(id, in: comment) }
      let answered = try await client.comment(parent)
      let thread = makeThread(of: parent)
      thread.add(comment)
      mark(id, in: answered)
      await thread.open()
    } catch {
      let failure = RequestFailure(error)
      // Without a network it is tried with the next look.
      if failure.reason == .refused { lost(id, failure.sentence) }
    }
  }

  private func mark(_ id: String, in comment: ClipComment) {
    guard wanted == id else { return }
    wanted = nil
    led = comment
    marked = id
  }

  private func lost(_ id: String, _ why: Sentence) {
    guard wanted == id else { return }
    wanted = nil
    announcements.post(why)
  }
}
