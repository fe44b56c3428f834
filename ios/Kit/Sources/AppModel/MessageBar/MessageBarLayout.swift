public import Composer

/// Where everything of the message bar is, and how much of it is seen: made of what the core says and what
/// the phone measures, and of nothing else. Points; the origin is the bar's upper left corner.
///
/// It refuses to know what a text view measures and how things get from one layout to the next, but for the
/// duration.
public struct MessageBarLayout: Equatable, Sendable {
  /// What the phone knows. What is no number counts as 0.
  public struct Metrics: Equatable, Sendable {
    public var width: Double
    /// Of the field's font.
    public var lineHeight: Double
    /// Of the smaller font of the words above the field.
    public var captionHeight: Double
    /// Text is of one of the accessibility sizes.
    public var isLargeText: Bool
    public var reducesMotion: Bool
    public var isRightToLeft: Bool
    /// There is no text, kept or typed.
    public var isTextEmpty: Bool
    /// A message has arrived just now: that is said where the field says what it is for.
    public var confirmsSent: Bool

    public init(
      width: Double, lineHeight: Double, captionHeight: Double, isLargeText: Bool = false,
      reducesMotion: Bool = false, isRightToLeft: Bool = false, isTextEmpty: Bool = true,
      confirmsSent: Bool = false
    ) {
      self.width = Self.bounded(width)
      self.lineHeight = Self.bounded(lineHeight)
      self.captionHeight = Self.bounded(captionHeight)
      self.isLargeText = isLargeText
      self.reducesMotion = reducesMotion
      self.isRightToLeft = isRightToLeft
      self.isTextEmpty = isTextEmpty
      self.confirmsSent = confirmsSent
    }

    private static func bounded(_ value: Double) -> Double {
      value.isFinite ? min(max(value, 0), 10_000) : 0
    }
  }

  public struct Frame: Equatable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    var end: Double { x + width }
    var bottom: Double { y + height }
  }

  /// One thing to draw. What is not seen can be neither tapped nor reached, from the first moment on.
  public struct Part: Equatable, Sendable {
    public var frame: Frame
    public var alpha = 1.0
    public var scale = 1.0
    public var isEnabled = true
    public var isShown: Bool { alpha > 0 }
  }

  /// How long parts take to come and go, in seconds.
  public static let duration = 0.2
  /// The least that can be tapped.
  public static let touch = 44.0
  static let edge = 12.0
  static let inset = 8.0
  static let gap = 6.0
  static let textInset = 15.0
  static let mostReactions = ComposerHost.reactions.count
  static let fewestReactions = 2
  /// A field that is narrower says nothing.
  static let narrowestField = 124.0
  static let hiddenScale = 0.6
  static let disabledAlpha = 0.4

  /// Behind the text, with round ends.
  public private(set) var field: Part
  public private(set) var text: Part
  public private(set) var placeholder: Part
  /// A text is kept, and the field does not show it.
  public private(set) var dot: Part
  /// In the field's place, where nothing can be written.
  public private(set) var closed: Part
  public private(set) var plane: Part
  public private(set) var reactions: [Part]
  public private(set) var state: Part
  public private(set) var charactersLeft: Part
  public let height: Double
  public let scrolls: Bool
  public let cornerRadius = touch / 2

  /// In this order they are reached without eyes.
  public enum Element: Equatable, Sendable { case state, field, reactions, plane, charactersLeft }
  public let order: [Element]

  public init(_ bar: Composer.Bar, _ metrics: Metrics) {
    let isThere = bar.access != .noClip
    let hasField = isThere && bar.access != .off
    let hidden = metrics.reducesMotion ? 1 : Self.hiddenScale
    let contentWidth = max(0, metrics.width - 2 * Self.edge)
    let showsReactions = bar.buttons == .reactions
    let showsPlane = bar.buttons == .send
    let count = Self.reactionCount(in: contentWidth, below: metrics.isLargeText)
    let reactionsWidth = Double(count) * Self.touch
    let isBeside = showsReactions && !metrics.isLargeText
    scrolls = bar.scrolls

    // What is said above the field takes no room while nothing is.
    let saysState = isThere && (bar.delivery == .failed || bar.delivery == .refused)
    let saysLeft = hasField && bar.isFocused && bar.showsCharactersLeft
    let headHeight = saysState || saysLeft ? metrics.captionHeight + Self.gap : 0
    let head = Frame(
      x: Self.edge, y: Self.inset, width: contentWidth, height: metrics.captionHeight)

    let lines = Double(min(max(bar.lines, 1), Composer.lineLimit))
    let textHeight = lines * metrics.lineHeight
    let fieldFrame = Frame(
      x: Self.edge, y: Self.inset + headHeight,
      width: max(0, contentWidth - (isBeside ? reactionsWidth + Self.gap : 0)),
      height: max(Self.touch, textHeight + 2 * 11))
    // The plane's place is kept free while somebody writes: its coming must not break the lines anew.
    let behind = bar.isFocused ? Self.touch : Self.textInset
    let textFrame = Frame(
      x: fieldFrame.x + Self.textInset, y: fieldFrame.y + (fieldFrame.height - textHeight) / 2,
      width: max(0, fieldFrame.width - Self.textInset - behind), height: textHeight)

    field = Part(frame: fieldFrame, alpha: hasField ? 1 : 0, isEnabled: bar.isEditable)
    let showsText = hasField && bar.showsText
    text = Part(frame: textFrame, alpha: showsText ? 1 : 0, isEnabled: bar.isEditable)
    let isOnItsWay =
      hasField && (bar.delivery == .sending || (metrics.confirmsSent && bar.delivery == .idle))
      && !bar.isFocused
    let saysWhatFor = hasField && !isOnItsWay && (!bar.showsText || metrics.isTextEmpty)
    var line = textFrame
    line.height = metrics.lineHeight
    placeholder = Part(frame: line, alpha: saysWhatFor ? 0.6 : 0)
    let dotFrame = Frame(
      x: textFrame.end - 8, y: fieldFrame.y + fieldFrame.height / 2 - 4, width: 8, height: 8)
    dot = Part(
      frame: dotFrame, alpha: hasField && !bar.showsText && !metrics.isTextEmpty && !isOnItsWay ? 1 : 0,
      scale: 1)
    closed = Part(frame: fieldFrame, alpha: isThere && !hasField ? 1 : 0)

    plane = Part(
      frame: Frame(
        x: fieldFrame.end - Self.touch, y: fieldFrame.bottom - Self.touch, width: Self.touch,
        height: Self.touch),
      alpha: showsPlane ? (bar.areEnabled ? 1 : Self.disabledAlpha) : 0, scale: showsPlane ? 1 : hidden,
      isEnabled: bar.areEnabled)

    let rowTop =
      metrics.isLargeText ? fieldFrame.bottom + Self.gap : fieldFrame.bottom - Self.touch
    let rowStart = metrics.isLargeText ? Self.edge : Self.edge + contentWidth - reactionsWidth
    reactions = (0..<count).map { index in
      Part(
        frame: Frame(
          x: rowStart + Double(index) * Self.touch, y: rowTop, width: Self.touch, height: Self.touch),
        alpha: showsReactions ? (bar.areEnabled ? 1 : Self.disabledAlpha) : 0,
        scale: showsReactions ? 1 : hidden, isEnabled: bar.areEnabled)
    }

    state = Part(frame: isOnItsWay ? line : head, alpha: saysState || isOnItsWay ? 1 : 0)
    charactersLeft = Part(frame: head, alpha: saysLeft ? 1 : 0)

    let lowest = metrics.isLargeText && showsReactions ? rowTop + Self.touch : fieldFrame.bottom
    height = lowest + Self.inset
    var order: [Element] = [.field]
    if showsReactions { order.append(.reactions) }
    if showsPlane { order.append(.plane) }
    if saysLeft { order.append(.charactersLeft) }
    if saysState { order.append(.state) }
    self.order = isThere ? order : []
    if metrics.isRightToLeft { mirror(in: metrics.width) }
  }

  /// As many as leave a field beside them that says what it is for.
  private static func reactionCount(in width: Double, below: Bool) -> Int {
    let room = below ? width : width - narrowestField - gap
    return min(max(Int(max(0, room) / touch), fewestReactions), mostReactions)
  }

  private mutating func mirror(in width: Double) {
    func mirror(_ part: inout Part) { part.frame.x = width - part.frame.end }
    mirror(&field)
    mirror(&text)
    mirror(&placeholder)
    mirror(&dot)
    mirror(&closed)
    mirror(&plane)
    mirror(&state)
    mirror(&charactersLeft)
    for index in reactions.indices { mirror(&reactions[index]) }
  }
}

/// How the picture of a reaction rises over the clip: values at points of its time, from its button on.
public struct ReactionFlight: Equatable, Sendable {
  public struct Moment: Equatable, Sendable {
    /// 0 at the start, 1 at the end.
    public let time: Double
    public let alpha: Double
    public let x: Double
    public let y: Double
    public let scale: Double
  }

  /// In seconds.
  public let duration: Double
  public let moments: [Moment]

  /// `sway`: −1…1, another one for each. Where things are to rest, the picture only fades.
  public init(sway: Double, reducesMotion: Bool) {
    let sway = sway.isFinite ? min(max(sway, -1), 1) * 24 : 0
    if reducesMotion {
      duration = 0.7
      moments = [(0, 1), (0.5, 1), (1, 0)].map { Moment(time: $0.0, alpha: $0.1, x: 0, y: -40, scale: 1) }
      return
    }
    duration = 1.4
    moments = [
      Moment(time: 0, alpha: 0, x: 0, y: 20, scale: 0.5),
      Moment(time: 1.0 / 3, alpha: 1, x: 0, y: -40, scale: 1.5),
      Moment(time: 2.0 / 3, alpha: 1, x: sway, y: -150, scale: 1.3),
      Moment(time: 1, alpha: 0, x: -sway, y: -240, scale: 1.1),
    ]
  }
}
