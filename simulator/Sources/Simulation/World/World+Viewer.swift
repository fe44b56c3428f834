import CoreTypes
internal import Session

/// What the person does.
extension World {
  mutating func act() {
    switch viewer.phase {
    case .finished: return
    case .interrupted(let until, let away):
      guard now >= until else { return }
      viewer.phase = .watching
      deliver(away ? .foregrounded : .tapped)
    case .dragging(let drag): move(drag)
    case .watching: watch()
    }
  }

  mutating func watch() {
    guard page == viewer.current.page else {
      guard now >= viewer.retryAt else { return }
      viewer.retryAt = now + Viewer.retry
      return deliver(.stepped(pages: Int64(viewer.current.page - (page ?? viewer.current.page))))
    }
    // With an empty battery nothing plays by itself.
    if showsPaused, !viewer.current.isGlance {
      guard now >= viewer.tapsAt else { return }
      viewer.tapsAt = now + Viewer.retry
      return deliver(.tapped)
    }
    if viewer.hasMoved, let incident = viewer.nextIncident, viewer.watched >= incident.after {
      viewer.incident += 1
      return meet(incident.kind)
    }
    guard viewer.wantsToLeave(at: now) else { return }
    if viewer.isLast {
      leave()
      viewer.phase = .finished
      return
    }
    let next = viewer.plan.visits[viewer.visit + 1].page
    begin(viewer.current.swipe, towards: next > viewer.current.page ? 1 : -1, isHesitation: false)
  }

  mutating func meet(_ kind: Plan.Incident.Kind) {
    switch kind {
    case .pause(let time):
      viewer.phase = .interrupted(until: now + time, away: false)
      deliver(.tapped)
    case .away(let time):
      viewer.phase = .interrupted(until: now + time, away: true)
      deliver(.backgrounded)
    case .hesitation: begin(Viewer.hesitation, towards: 1, isHesitation: true)
    case .memoryWarning: deliver(.memoryWarned)
    }
  }

  mutating func begin(_ swipe: Plan.Swipe, towards direction: Int64, isHesitation: Bool) {
    viewer.phase = .dragging(
      Viewer.Drag(
        swipe: swipe, began: now, direction: direction, isHesitation: isHesitation,
        nextMove: now + Viewer.moveInterval))
    deliver(.dragBegan)
  }

  mutating func move(_ drag: Viewer.Drag) {
    guard now >= drag.ends else {
      guard now >= drag.nextMove else { return }
      var moved = drag
      moved.nextMove = now + Viewer.moveInterval
      viewer.phase = .dragging(moved)
      return deliver(.dragMoved(translation: drag.translation(at: now)))
    }
    let end = FeedSession.Event.dragEnded(
      translation: drag.translation(at: drag.ends), velocity: -drag.direction * drag.swipe.velocity)
    guard !drag.isHesitation else {
      viewer.phase = .watching
      return deliver(end)
    }
    leave()
    viewer.arrive(at: now)
    peaks.append(store.peakBytes)
    let (page, time) = (viewer.current.page, now)
    timeline?.swiped(to: page, at: time)
    deliver(end)
  }

  /// Without having seen anything, the wait ends here.
  mutating func leave() {
    guard !viewer.hasMoved else { return }
    measures.unseen += 1
    noteWait()
  }
}
