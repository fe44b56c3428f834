/// All routes by the words of their paths, so that a request is compared only with those that begin as its
/// own does. A word counts before a placeholder, whichever route was named first.
struct RouteTree: Sendable {
  private struct Branch: Sendable {
    /// Nil: a placeholder.
    let word: [UInt8]?
    var rest: RouteTree
  }

  private var route: Route?
  private var branches: [Branch] = []

  init(_ routes: [Route] = []) {
    for route in routes { add(route, at: route.words[...]) }
  }

  private mutating func add(_ route: Route, at words: ArraySlice<[UInt8]?>) {
    guard let word = words.first else {
      self.route = route
      return
    }
    let rest = words.dropFirst()
    if let known = branches.firstIndex(where: { $0.word == word }) {
      branches[known].rest.add(route, at: rest)
      return
    }
    var branch = Branch(word: word, rest: RouteTree())
    branch.rest.add(route, at: rest)
    branches.insert(branch, at: word == nil ? branches.count : 0)
  }

  /// The route of a path that consists of these segments.
  func find(_ segments: ArraySlice<Substring.UTF8View>) -> Route? {
    guard let segment = segments.first else { return route }
    for branch in branches where branch.word.map(segment.elementsEqual) ?? true {
      if let found = branch.rest.find(segments.dropFirst()) { return found }
    }
    return nil
  }
}
