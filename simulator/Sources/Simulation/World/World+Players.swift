import CoreTypes
internal import Session

/// What players report, told to the session and measured.
extension World {
  mutating func advance(_ index: Int) {
    guard let item = players[index].item else { return }
    let player = PlayerID(Int32(index))
    let id = ItemID(Int32(item))
    for report in players[index].advance(to: now, from: store) {
      switch report {
      case .firstFrame: deliver(.firstFrameReady(player, id))
      case .advanced:
        noteMovement(of: item)
        deliver(.playbackAdvanced(player, id))
      case .stalled:
        noteStall(of: item)
        deliver(.playbackStalled(player, id))
      case .position(let position): deliver(.positionChanged(player, id, position))
      case .looped: deliver(.looped(player, id))
      case .shown(let rendition, let segment, let time): note(time, of: item, rendition, segment)
      }
    }
  }

  mutating func noteMovement(of item: Int) {
    guard item == viewer.current.page else { return }
    viewer.isStalled = false
    guard !viewer.hasMoved else { return }
    viewer.hasMoved = true
    measures.seen += 1
    noteWait()
    let time = now
    timeline?.began(at: time)
  }

  mutating func noteWait() {
    if viewer.visit == 0 {
      measures.start = now - viewer.released
    } else {
      measures.swipeWaits.append(now - viewer.released)
    }
  }

  mutating func noteStall(of item: Int) {
    guard item == viewer.current.page, viewer.hasMoved, !viewer.isStalled else { return }
    viewer.isStalled = true
    measures.stalls += 1
  }

  mutating func note(_ time: Milliseconds, of item: Int, _ rendition: Int, _ segment: Int) {
    measures.usefulBytes += store.show(item, rendition: rendition, segment: segment)
    guard item == viewer.current.page, viewer.hasMoved else { return }
    let layout = store.clip(item).renditions[rendition]
    let kilobits = ClipLibrary.kilobits(ofEdge: layout.shortEdge)
    if viewer.watched == .zero { measures.startEdges += Int64(layout.shortEdge) }
    viewer.watched += time
    measures.edgeTime += Int64(layout.shortEdge) * time.rawValue
    measures.kilobitTime += kilobits * time.rawValue
    let sharpness = Comfort.sharpness(ofEdge: layout.shortEdge, on: scenario.device)
    measures.comfort.show(sharpness, for: time)
    if let last = lastShown, last.item == item, last.rendition != rendition {
      measures.switches += 1
      let before = store.clip(item).renditions[last.rendition].shortEdge
      measures.comfort.change(from: Comfort.sharpness(ofEdge: before, on: scenario.device), to: sharpness)
    }
    if let last = lastKilobits { measures.jumps += abs(kilobits - last) }
    lastShown = (item, rendition)
    lastKilobits = kilobits
    let end = now
    timeline?.shown(item: item, rendition: rendition, until: end, for: time)
  }
}
