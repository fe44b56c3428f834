import Composer
import CoreTesting
import CoreTypes
import EnergyBudget
import MediaCache
import Session
import Testing

@Suite struct GoldenTraceTests {
  /// The sessions whose commands are kept as goldens in fixtures/traces.
  static let recordings: [String: @Sendable () -> [String]] = [
    "swipes-on-4g": { Recordings.swipes(rate: 9_000_000, roundTrip: 85, seed: 1) },
    "swipes-on-3g": { Recordings.swipes(rate: 1_600_000, roundTrip: 300, seed: 2) },
    "network-gone-and-back": Recordings.networkGoneAndBack,
    "gestures": Recordings.gestures,
    "hostile": Recordings.hostile,
    "feed-changes": Recordings.feedChanges,
    "away-and-back": Recordings.awayAndBack,
    "long-feed": Recordings.longFeed,
    "energy": Recordings.energy,
    "writing": Recordings.writing,
    "taps": Recordings.taps,
    "gate": Recordings.gate,
    "picture-in-picture": Recordings.pictureInPicture,
    "disk": Recordings.disk,
    "messages": Recordings.messages,
    "decoder": Recordings.decoder,
  ]

  @Test(arguments: recordings.keys.sorted())
  func givesTheSameCommands(name: String) throws {
    if Trace.records { try Trace.write("traces/" + name, Self.recordings[name]!(), .session) }
    let golden = try Trace.read("traces/" + name)
    #expect(golden.count > 50)
    #expect(try Trace.text("traces/" + name) == golden.map(RowNames.session.added(to:)), "names")
    let replayed = Trace.replay(golden)
    let difference = zip(golden, replayed).enumerated().first { $1.0 != $1.1 }
    #expect(
      replayed == golden,
      "line \((difference?.offset ?? min(golden.count, replayed.count)) + 1) differs: \(String(describing: difference?.element))"
    )
  }
}

enum Recordings {
  static func swipes(rate: Int64, roundTrip: Int64, seed: UInt64) -> [String] {
    var host = HostModel()
    var generator = SeededGenerator(seed: seed)
    host.rate = BitsPerSecond(rate)
    host.roundTrip = Milliseconds(roundTrip)
    host.start()
    host.run(2_000)
    for _ in 0..<25 {
      host.send(.stepped(pages: generator.next(below: 5) == 0 ? -1 : 1))
      host.run(generator.next(below: 3) == 0 ? 4_000 : 500)
    }
    return host.trace
  }

  /// A window while the feed goes on, paused by its own button, in the background, and both ways out of it.
  @Sendable static func pictureInPicture() -> [String] {
    var host = HostModel()
    host.reportsPositions = true
    host.rate = BitsPerSecond(2_000_000)
    host.start()
    host.run(1_500)
    for returns in [true, false] {
      host.beginPictureInPicture()
      for _ in 0..<4 {
        host.send(.stepped(pages: 1))
        host.run(900)
      }
      if let (player, item) = host.window {
        host.send(.pictureInPicturePlayed(player, item, isOn: false))
        host.send(.pictureInPicturePlayed(player, item, isOn: true))
      }
      host.send(.backgrounded)
      host.run(3_000)
      host.send(.foregrounded)
      host.endPictureInPicture(returns: returns)
      host.run(1_000)
    }
    return host.trace
  }

  /// Single and double taps while it plays, while it is paused, and with a swipe right behind.
  @Sendable static func taps() -> [String] {
    var host = HostModel()
    host.start()
    host.run(1_000)
    for pauses: [Int64] in [[400], [120, 400], [120, 120, 400], [400, 90, 500]] {
      for pause in pauses {
        host.send(.touched(x: 180, y: 420))
        host.run(pause)
      }
    }
    host.send(.touched(x: 180, y: 420))
    host.send(.touched(x: 20, y: 90))
    host.run(500)
    host.send(.touched(x: 180, y: 420))
    host.send(.stepped(pages: 1))
    host.run(1_000)
    return host.trace
  }

  /// Nobody wants to see a page without its first picture, on a link that is too slow for that.
  @Sendable static func gate() -> [String] {
    var host = HostModel()
    host.rate = BitsPerSecond(200_000)
    host.roundTrip = Milliseconds(600)
    host.start()
    host.send(.firstFrameRequired(true))
    host.run(6_000)
    for _ in 0..<4 {
      host.send(.stepped(pages: 1))
      host.run(200)
      host.send(.stepped(pages: 1))
      host.run(1_500)
      host.send(.wheelMoved(delta: 120))
      host.run(12_000)
    }
    host.send(.stepped(pages: 1))
    host.run(800)
    host.send(.touched(x: 180, y: 420))
    host.run(800)
    host.send(.firstFrameRequired(false))
    host.send(.stepped(pages: 1))
    host.run(1_000)
    return host.trace
  }

  @Sendable static func networkGoneAndBack() -> [String] {
    var host = HostModel()
    host.missing = [ItemID(2)]
    host.start()
    host.run(3_000)
    host.online = false
    host.send(.networkChanged(isOnline: false))
    for _ in 0..<5 {
      host.send(.stepped(pages: 1))
      host.run(800)
    }
    host.send(.retryRequested)
    host.run(2_000)
    host.online = true
    host.send(.networkChanged(isOnline: true))
    host.run(3_000)
    return host.trace
  }

  @Sendable static func gestures() -> [String] {
    var host = HostModel()
    var generator = SeededGenerator(seed: 3)
    host.start(FeedSession.Configuration(players: 5, reducedMotion: false, dataSaver: true))
    host.run(1_000)
    for _ in 0..<12 {
      host.send(.dragBegan)
      var translation: Int64 = 0
      for _ in 0..<4 {
        translation -= generator.next(below: 160) - 30
        host.send(.dragMoved(translation: translation))
        host.run(16)
      }
      host.send(.dragEnded(translation: translation, velocity: -generator.next(below: 2_000)))
      host.run(700)
      host.send(.wheelMoved(delta: generator.next(below: 200) - 100))
      host.run(300)
    }
    for event: FeedSession.Event in [
      .tapped, .soundSet(isOn: true), .scrubBegan, .scrubMoved(Milliseconds(700)),
      .scrubEnded(Milliseconds(900)), .tapped, .backgrounded, .foregrounded, .memoryWarned,
      .jumped(page: 0), .itemRemoved(ItemID(0)),
    ] {
      host.send(event)
      host.run(400)
    }
    return host.trace
  }

  /// Clips come above, below and in the middle, go and change their places; jumps and locks. Without
  /// byte ranges, so that downloads do not blur the picture.
  @Sendable static func feedChanges() -> [String] {
    var host = HostModel()
    host.start(FeedSession.Configuration(usesByteRanges: false))
    host.run(1_000)
    host.send(.stepped(pages: 1))
    host.run(1_000)
    for place: Int32 in [0, 1, 2] { host.insert(before: ItemID(place)) }
    host.run(100)
    host.send(.dragBegan)
    host.send(.dragMoved(translation: -150))
    host.insert(before: ItemID(0))
    host.send(.dragMoved(translation: -300))
    host.send(.dragEnded(translation: -300, velocity: -900))
    host.run(90)
    host.insert(before: ItemID(0))
    host.send(.itemRemoved(ItemID(0)))
    host.run(600)
    for event: FeedSession.Event in [
      .jumped(page: 2), .jumpedToItem(ItemID(4)), .jumped(page: 30), .jumpedToItem(ItemID(99)),
      .itemInserted(ItemID(2), before: ItemID(4), HostModel.clip(2)), .jumpedToItem(ItemID(2)),
      .feedLocked(true), .stepped(pages: 1), .jumped(page: 1), .feedLocked(false),
      .stepped(pages: -1), .itemRemoved(ItemID(1)), .jumped(page: 0),
    ] {
      host.send(event)
      host.run(700)
    }
    return host.trace
  }

  /// The camera, the background and short memory take the players and give them back.
  @Sendable static func awayAndBack() -> [String] {
    var host = HostModel()
    host.reportsPositions = true
    host.start(FeedSession.Configuration(players: 4, usesByteRanges: false))
    host.run(1_600)
    for event: FeedSession.Event in [
      .cameraOpened, .cameraClosed, .backgrounded, .foregrounded, .tapped, .cameraOpened,
      .backgrounded, .cameraClosed, .foregrounded, .tapped, .memoryWarned, .memoryWarned,
      .stepped(pages: 1), .scrubBegan, .scrubMoved(Milliseconds(2_000)), .backgrounded,
    ] {
      host.send(event)
      host.run(900)
    }
    host.run(3_000)
    for event: FeedSession.Event in [
      .foregrounded, .scrubEnded(Milliseconds(2_500)), .playbackEnded(PlayerID(0), ItemID(0)),
      .playbackEnded(PlayerID(0), ItemID(1)), .playerFailed(PlayerID(0), ItemID(1)),
    ] {
      host.send(event)
      host.run(900)
    }
    host.run(60_000)
    return host.trace
  }

  /// A battery that runs low, a phone that is hot, a person who wants no clip to start by itself.
  @Sendable static func energy() -> [String] {
    var host = HostModel()
    host.start(FeedSession.Configuration(usesByteRanges: false, reducedMotion: true))
    host.run(1_000)
    for conditions in [
      Conditions(batteryPercent: 60), Conditions(batteryPercent: 19), Conditions(batteryPercent: 9),
      Conditions(batteryPercent: 9, warmth: 3), Conditions(isCharging: true, autoplay: false),
      Conditions(batteryPercent: 101, warmth: -7, network: 99, autoplay: false), Conditions(),
    ] {
      host.send(.conditionsChanged(conditions))
      host.run(600)
      host.send(.stepped(pages: 1))
      host.run(700)
      host.send(.tapped)
      host.run(100)
      host.send(.tapped)
      host.run(600)
    }
    host.send(.backgrounded)
    host.run(5_000)
    host.send(.foregrounded)
    host.run(90_000)
    return host.trace
  }

  /// A decoder that does not keep up with what link and screen allow: the clips that follow come smaller, and
  /// later sharper ones are tried again. Counts that are none, and those of a page that nobody sees, say
  /// nothing.
  @Sendable static func decoder() -> [String] {
    var host = HostModel()
    host.rate = BitsPerSecond(30_000_000)
    host.start()
    host.run(1_500)
    for dropped: Int32 in [0, 9, 40, 40, 300, -1] {
      host.send(.framesShown(shortEdge: 720, shown: 60 - min(dropped, 60), dropped: dropped))
      host.run(300)
    }
    for _ in 0..<4 {
      host.send(.stepped(pages: 1))
      host.run(1_500)
    }
    host.send(.backgrounded)
    host.send(.framesShown(shortEdge: 540, shown: 0, dropped: 240))
    host.run(600_000)
    host.send(.foregrounded)
    for _ in 0..<4 {
      host.send(.stepped(pages: 1))
      host.run(1_500)
    }
    return host.trace
  }

  /// Somebody writes a message over a clip, over a paused one, and while the clip goes away.
  @Sendable static func writing() -> [String] {
    var host = HostModel()
    host.start(FeedSession.Configuration(usesByteRanges: false))
    host.send(.composer(.signedInChanged(true)))
    host.run(1_000)
    for event: FeedSession.Event in [
      .composer(.fieldFocused), .composer(.keyboardMoved(height: 300)),
      .composer(.textChanged(ItemID(0), characters: 12, isBlank: false)), .stepped(pages: 1), .tapped,
      .composer(.fieldBlurred), .tapped, .composer(.fieldFocused), .backgrounded, .foregrounded,
      .composer(.sendTapped), .composer(.fieldDismissed), .composer(.fieldBlurred), .tapped,
      .stepped(pages: 1), .composer(.fieldFocused), .cameraOpened, .cameraClosed, .feedLocked(true),
      .itemRemoved(ItemID(1)), .stepped(pages: 1), .feedLocked(false), .stepped(pages: 1),
    ] {
      host.send(event)
      host.run(900)
    }
    return host.trace
  }

  /// A disk with clips of an earlier visit, one of which it cannot read, and too little room for all; clips
  /// that somebody keeps, and the space wanted back. Little memory, a short feed to its end.
  @Sendable static func disk() -> [String] {
    var host = HostModel()
    host.feedSize = 12
    host.unreadable = [ItemID(1)]
    host.start(FeedSession.Configuration(memoryBudget: Bytes(5_000_000)))
    host.send(.diskFound(budget: Bytes(7_000_000), used: Bytes(6_500_000)))
    host.run(100)
    for item: Int32 in [0, 1, 2] {
      host.send(
        .storage(
          .diskHolds(
            ItemID(item), segments: 3, Bytes(160_000), age: Milliseconds(86_400_000), isSaved: item == 2)))
    }
    host.run(3_000)
    host.send(.retentionKnown(ItemID(4), Retention(shares: [1_000_000, 700_000, 400_000])!))
    host.send(.storage(.savedForOffline(ItemID(0), true)))
    for _ in 0..<6 {
      host.send(.stepped(pages: 1))
      host.run(3_000)
    }
    host.send(.storage(.persistFailed(ItemID(6), segments: 1, Bytes(60_000), isFull: false)))
    host.send(.storage(.persistFailed(ItemID(5), segments: 0, .zero, isFull: true)))
    host.run(2_000)
    host.send(.storage(.savedForOffline(ItemID(0), false)))
    for _ in 0..<7 {
      host.send(.stepped(pages: 1))
      host.run(2_000)
    }
    host.send(.storage(.clearRequested))
    host.run(1_000)
    return host.trace
  }

  /// All that becomes of a text: nobody may write, it is too long, it is refused, it comes back to a clip
  /// that is not on the screen, and its clip goes while it is on its way.
  @Sendable static func messages() -> [String] {
    var host = HostModel()
    host.start(FeedSession.Configuration(usesByteRanges: false))
    host.run(1_000)
    let texts: [Composer.Event] = [
      .lengthLimited(characters: 60), .fieldFocused, .signedInChanged(true),
      .messagesChanged(ItemID(0), areOpen: false),
      .fieldFocused, .messagesChanged(ItemID(0), areOpen: true),
      .draftRestored(ItemID(0), characters: 12, isBlank: false), .fieldFocused,
      .textMeasured(height: 60, lineHeight: 20), .textChanged(ItemID(0), characters: 70, isBlank: false),
      .sendTapped,
      .textChanged(ItemID(0), characters: 20, isBlank: false), .sendTapped,
      .messageFailed(MessageID(1), .refused),
      .fieldFocused, .textChanged(ItemID(0), characters: 0, isBlank: true), .fieldDismissed,
      .reactionTapped(reaction: 2), .reactionTapped(reaction: 0), .fieldFocused,
      .textChanged(ItemID(0), characters: 5, isBlank: false), .sendTapped, .messageSent(MessageID(4)),
      .fieldFocused,
      .textChanged(ItemID(0), characters: 9, isBlank: false), .sendTapped,
    ]
    for event in texts {
      host.send(.composer(event))
      host.run(1_200)
    }
    host.send(.stepped(pages: 1))
    host.send(.composer(.messageFailed(MessageID(5), .network)))
    host.run(1_000)
    host.send(.stepped(pages: -1))
    host.run(1_000)
    host.send(.composer(.fieldFocused))
    host.send(.composer(.sendTapped))
    host.send(.itemRemoved(ItemID(0)))
    host.run(25_000)
    return host.trace
  }

  /// Far down a feed and back to its top, where descriptors are asked for again.
  @Sendable static func longFeed() -> [String] {
    var host = HostModel()
    host.feedSize = 70
    host.pageSize = 30
    host.start()
    host.run(1_000)
    for page: Int64 in [17, 28, 29, 45, 58, 59, 60, 36, 0] {
      host.send(.jumped(page: page))
      host.run(900)
    }
    return host.trace
  }

  /// Rows that no sane host sends: every kind with numbers from nowhere.
  @Sendable static func hostile() -> [String] {
    var generator = SeededGenerator(seed: 4)
    var lines = ["event 0 1 3 0 1 0 0 0"]
    var time: Int64 = 0
    for _ in 0..<400 {
      time = saturatingSum(time, generator.next(below: 2_000) - 200)
      var words = [generator.next(below: 54)]
      for _ in 0..<generator.next(below: 6) {
        words.append(
          generator.next(below: 2) == 0
            ? generator.next(below: 4) : generator.hostileInteger(around: 2_000))
      }
      if words[0] == 2 { words = clipRow(&generator) }
      lines.append(Trace.line("event", time, words))
    }
    return Trace.replay(lines)
  }

  private static func clipRow(_ generator: inout SeededGenerator) -> [Int64] {
    var row: [Int64] = [2, generator.next(below: 12), 3_000, 1, 360, 600_000, 500_000, 0, 800, 2]
    row += [800, 50_000, 1_000, 50_800, 90_000, 2_000]
    if generator.next(below: 3) == 0 {
      row[Int(generator.next(below: Int64(row.count)))] = generator.hostileInteger(around: 100)
    }
    return row
  }
}
