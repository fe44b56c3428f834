/// What a host reports of the feed: names and numbers, here and nowhere else. Numbers never change their
/// meaning; new ones are added. The message bar's are `ComposerEventKind`.
///
/// `scripts/wire-protocol.sh` makes the tables of docs/design/session.md and web/app/core/core.js of this
/// file.
public enum EventKind: Int64 {
  case started = 1
  case itemAppended = 2
  case pageLoaded = 3
  case pageFailed = 4
  case itemRemoved = 5
  case itemInserted = 6
  case itemDescribed = 7
  case retentionKnown = 8
  case viewportResized = 10
  case dragBegan = 11
  case dragMoved = 12
  case dragEnded = 13
  case dragCancelled = 14
  case stepped = 15
  case jumped = 16
  case wheelMoved = 17
  case settleFinished = 18
  case jumpedToItem = 19
  case firstFrameReady = 20
  case playbackAdvanced = 21
  case playbackStalled = 22
  case positionChanged = 23
  case looped = 24
  case playerFailed = 25
  case autoplayRefused = 26
  case playbackEnded = 27
  case pictureInPictureBegan = 28
  case pictureInPictureEnded = 29
  case segmentStored = 30
  case fetchFinished = 31
  case fetchFailed = 32
  case networkChanged = 33
  case tapped = 40
  case soundSet = 41
  case scrubBegan = 42
  case scrubMoved = 43
  case scrubEnded = 44
  case retryRequested = 45
  case backgrounded = 46
  case foregrounded = 47
  case memoryWarned = 48
  case feedLocked = 49
  case woke = 50
  case cameraOpened = 51
  case cameraClosed = 52
  case conditionsChanged = 53
  case diskFound = 54
  case diskHolds = 55
  case restoreFailed = 56
  case persistFailed = 57
  case savedForOffline = 58
  case clearRequested = 59
  case touched = 80
  case firstFrameRequired = 81
  case pictureInPicturePlayed = 82
  case framesShown = 83
}

/// What the core tells a host of the feed: names and numbers. The message bar's are `ComposerCommandKind`.
public enum CommandKind: Int64 {
  case mount = 1
  case unmount = 2
  case scroll = 3
  case settle = 4
  case hold = 5
  case setCurrent = 6
  case requestPage = 7
  case showEnd = 8
  case fade = 9
  case load = 10
  case play = 11
  case pause = 12
  case seek = 13
  case release = 14
  case setMuted = 15
  case hearOnly = 16
  case fetch = 20
  case cancel = 21
  case discard = 22
  case describe = 23
  case forget = 24
  case trim = 25
  case restore = 26
  case persist = 27
  case evict = 28
  case evictUnknown = 29
  case showBuffering = 30
  case showPaused = 31
  case showNetworkTrouble = 32
  case noticeSkipped = 33
  case wake = 34
  case setRefreshRate = 35
  case like = 36
  case showWaiting = 37
}

// What follows is for people, scripts and tests; no word of it gets into core.wasm.
#if !hasFeature(Embedded)

  /// The fields in their order, each a name and what is said of it, and what the row says. A last field that
  /// begins with "…" is any number of words.
  extension EventKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .started:
        (
          [
            "players 3…5", "memoryBudget bytes (0: default 48 MiB)", "byteRanges 0/1",
            "throughputHint bits/s (0: unknown)", "reducedMotion 0/1", "dataSaver 0/1",
          ], "first of all"
        )
      case .itemAppended:
        (Self.clip, "each clip of a page, in order, before `pageLoaded`")
      case .pageLoaded: (["hasMore 0/1"], "a page of the feed arrived")
      case .pageFailed: ([], "it did not")
      case .itemRemoved: (["item"], "deleted or hidden by the person")
      case .itemInserted:
        (
          ["before the item it comes before"] + Self.clip,
          "a clip is put into the feed: newer ones on top, an advertisement, one that was removed by mistake. "
            + "At the end if the first item is not in the feed. A clip of the feed itself changes its place"
        )
      case .itemDescribed: (Self.clip, "the answer to `describe`")
      case .retentionKnown:
        (
          ["item", "count 1…600", "…shares that many, in millionths"],
          "how many of those who start this clip still watch it after 0, 1, 2 … s; after `itemAppended` or "
            + "`itemDescribed`, where the server knows"
        )
      case .viewportResized:
        (["height of a page, CSS px", "shortEdge of the video area, device px"], "at start and on change")
      case .dragBegan: ([], "finger or pointer moved past the slop")
      case .dragMoved: (["translation px since `dragBegan`, downward positive"], "each move")
      case .dragEnded: (["translation px", "velocity px/s, both downward positive"], "release")
      case .dragCancelled: ([], "the system took the gesture")
      case .stepped: (["pages (+1 next, −1 previous)"], "keys")
      case .jumped: (["page"], "programmatic; animated over at most two pages, else with a fade")
      case .wheelMoved: (["delta px, positive towards the next clip"], "each wheel event")
      case .settleFinished: (["page"], "the animation of `settle` ended")
      case .jumpedToItem: (["item"], "as `jumped`, to wherever this clip is")
      case .firstFrameReady: (Self.playing, "the first frame can be shown (readyState ≥ 2)")
      case .playbackAdvanced: (Self.playing, "playback really moves (after play, after a stall)")
      case .playbackStalled: (Self.playing, "it wants to play and has no data")
      case .positionChanged:
        (
          Self.playing + ["position ms in the clip"],
          "about four times a second, after a seek and when it pauses (the place to come back to, should the "
            + "player be released then; it may come after `release`)"
        )
      case .looped: (Self.playing, "position passed from the end to the start")
      case .playerFailed: (Self.playing, "decoder or container error")
      case .autoplayRefused: (Self.playing, "the browser refused to start with sound, or at all")
      case .playbackEnded:
        (Self.playing, "it stands at its end; only from players that cannot loop by themselves")
      case .pictureInPictureBegan:
        (Self.playing, "the system shows this player in a window of its own: it is pinned")
      case .pictureInPictureEnded:
        (
          Self.playing + ["returns 0/1"],
          "the window is gone; returns: the person came back by it, and finds clip and time"
        )
      case .segmentStored:
        (
          ["request (0: from disk)", "item", "rendition", "segment (−1: init)"],
          "the bytes of one segment are complete in the host's store"
        )
      case .fetchFinished:
        (
          ["request", "bytes", "elapsed ms from the request", "firstByte ms from the request"],
          "all bytes arrived"
        )
      case .fetchFailed:
        (
          ["request", "reason (1 network, 2 gone: 404/410/416, 3 server)"],
          "it did not; segments reported before stay"
        )
      case .networkChanged: (["online 0/1"], "`online` and `offline` of the browser")
      case .tapped: ([], "space, or a button: pauses or goes on at once")
      case .soundSet: (["on 0/1"], "control, key m, or remembered from last time")
      case .scrubBegan: ([], "")
      case .scrubMoved: (["position ms"], "")
      case .scrubEnded: (["position ms"], "")
      case .retryRequested: ([], "the person asked to try again")
      case .backgrounded: ([], "page hidden")
      case .foregrounded: ([], "page visible again")
      case .memoryWarned: ([], "the system is short of memory")
      case .feedLocked: (["locked 0/1"], "something lies over the feed; no gesture moves it, jumps do")
      case .woke: ([], "the time asked for by `wake` has come")
      case .cameraOpened: ([], "the camera needs the decoders, and the feed cannot be seen")
      case .cameraClosed: ([], "")
      case .conditionsChanged:
        (
          [
            "battery percent (−1: unknown)", "charging 0/1", "lowPower mode 0/1",
            "warmth 0…3 (`ProcessInfo.ThermalState`)",
            "network (0 unmetered or unknown, 1 metered, 2 asks to save, 3 mobile, but 5G or without a limit)",
            "dataSaver 0/1", "reducedMotion 0/1", "autoplay 0/1",
          ], "at start, if more is known than `started` says, and on each change; always all of them"
        )
      case .diskFound:
        (
          ["budget bytes", "used bytes"],
          "there is a disk for clips, which may take so much, and holds so much of earlier visits that is not saved"
        )
      case .diskHolds:
        (
          ["item", "segments", "bytes", "age ms", "saved 0/1"],
          "a clip of the feed is on disk from an earlier visit: its first so many segments, last used that long ago"
        )
      case .restoreFailed: (["item"], "what `restore` asked for cannot be read")
      case .persistFailed:
        (
          ["item", "segments", "bytes", "full 0/1"],
          "not all that `persist` asked for was written: the disk has only the first so many segments"
        )
      case .savedForOffline: (["item", "on 0/1"], "the person keeps a clip, or no longer")
      case .clearRequested: ([], "the person wants the space back")
      case .touched:
        (["x px", "y px"], "a tap on the clip by finger or pointer; two quick ones are a double tap")
      case .firstFrameRequired:
        (["on 0/1"], "the person's setting: no page is gone to before it can show its first frame")
      case .pictureInPicturePlayed:
        (
          Self.playing + ["on 0/1"],
          "the window's own button: for the clip in the window, whatever the feed shows"
        )
      case .framesShown:
        (
          ["shortEdge px of the picture", "shown", "dropped"],
          "every 60 frames or so of a clip that plays on the screen: how many were seen since, and how many came too "
            + "late from the decoder. At most 240 of each; where a player cannot tell, never"
        )
      }
    }

    private static let playing = ["player", "item"]
    private static let clip = [
      "item", "duration ms", "renditionCount",
      "…renditions of each: short edge px, peak bits/s, average bits/s, init offset, init size, segment count, "
        + "then of each segment: offset, size, duration ms",
    ]
  }

  extension CommandKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .mount:
        (
          ["item", "page"],
          "has a page for this clip at this place (poster, texts); if it is mounted already, moves it there"
        )
      case .unmount: (["item"], "removes that page")
      case .scroll: (["position in millionths of a page"], "shows this position now (finger)")
      case .settle:
        (["page", "duration ms"], "animates there (ease-out; 0: at once) and reports `settleFinished`")
      case .hold:
        (
          ["position in millionths of a page", "duration ms"],
          "animates to the rubber-band position and stays"
        )
      case .setCurrent:
        (["item", "page"], "texts, counts, scrubber and `aria-current` follow this clip")
      case .requestPage: ([], "fetches the next page of the feed")
      case .showEnd: (["on 0/1"], "says that there is nothing more (or takes it back)")
      case .fade:
        (
          ["duration ms"],
          "the `settle` that comes with it goes far, at once: what is on the screen now fades over it"
        )
      case .load:
        (
          ["player", "item"],
          "attaches: the player shows this clip from what the store holds and from what still comes"
        )
      case .play: (["player"], "plays, looping without a gap")
      case .pause: (["player"], "")
      case .seek: (["player", "position ms"], "right after `load`: starts there")
      case .release: (["player"], "detaches, gives decoder and buffers back")
      case .setMuted: (["on 0/1"], "all players, and the control")
      case .hearOnly:
        (
          ["player (−1: none)"],
          "whatever `setMuted` says, no other player is heard; −1: all are, as it says"
        )
      case .fetch:
        (
          [
            "request", "item", "rendition", "first segment", "count of segments", "init included 0/1",
            "offset of the first byte", "size bytes",
          ],
          "one HTTP request with `Range: bytes=offset-(offset+size-1)`; cuts it into init and segments by the "
            + "descriptor; count 0 with init 1 is the init alone"
        )
      case .cancel: (["request"], "aborts it; no event follows for it")
      case .discard: (["item"], "drops all stored bytes of this clip")
      case .describe:
        (
          ["item"],
          "answers with `itemDescribed`; the core has dropped the descriptor, the host keeps it with the feed"
        )
      case .forget: (["item"], "may drop all it knows of this clip: it fell off the top of a feed of 4,096")
      case .trim:
        (
          ["item", "segments"],
          "drops the stored bytes of this clip but for the initialisation sections and the first so many segments"
        )
      case .restore:
        (
          ["item", "first segment", "count of segments"],
          "reads these from disk into memory, with their initialisation sections, and reports each by "
            + "`segmentStored` with request 0"
        )
      case .persist:
        (
          ["item", "segments"],
          "has the clip's first segments on disk as memory holds them now (of each the best rendition, with the "
            + "initialisation sections they need)"
        )
      case .evict: (["item", "segments"], "drops the clip from disk but for its first so many segments")
      case .evictUnknown:
        (
          ["bytes"],
          "makes so much free on disk: clips of earlier visits that no event has named and that are not saved, "
            + "least recently used first"
        )
      case .showBuffering: (["on 0/1"], "the buffering sign")
      case .showPaused: (["on 0/1"], "the paused sign")
      case .showNetworkTrouble: (["on 0/1"], "the retryable state")
      case .noticeSkipped: (["item"], "says that a clip could not be played and was left out")
      case .wake: (["instant ms"], "sends `woke` at that time; a later `wake` replaces an earlier one")
      case .setRefreshRate:
        (["rate frames a second"], "draws its own animations no faster; 120 until then")
      case .like: (["x px", "y px"], "a double tap: likes the current clip, and shows a heart there")
      case .showWaiting:
        (["on 0/1"], "the next clip is wanted, cannot be shown yet, and is gone to as soon as it can")
      }
    }
  }

#endif
