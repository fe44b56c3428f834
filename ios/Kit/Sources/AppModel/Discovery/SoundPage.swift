public import Contract
public import Foundation

/// A sound, the same audio in several public clips, as people see it. Its clips are on a page of the
/// instance, which opens in the browser: the app has no list of them.
public enum SoundPage {
  /// `author`: of the first public clip that has it; `nil`: nobody knows.
  public static func title(by author: Author?) -> Sentence {
    author.map { Sentence("Sound by %@", ReasonWords.name(of: $0)) } ?? "Sound"
  }

  /// `base`: the instance.
  public static func address(of id: String, at base: URL) -> URL? {
    URL(string: Route.soundPage.path(id), relativeTo: base)?.absoluteURL
  }
}
