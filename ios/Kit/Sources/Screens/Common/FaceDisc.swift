internal import AppModel
internal import Contract
public import Foundation
public import SwiftUI

/// The first letter of a name in a disc, and the person's picture over it once it has come.
struct FaceDisc: View {
  private let face: Face
  @ScaledMetric private var side: Double
  @Environment(\.faceBase) private var base

  /// `side`: points, with text of the usual size.
  init(_ author: Author, side: Double = 36) {
    face = Face(author)
    _side = ScaledMetric(wrappedValue: side, relativeTo: .body)
  }

  var body: some View {
    Text(verbatim: face.letter)
      .font(.headline)
      .frame(width: side, height: side)
      .background(.quaternary, in: Circle())
      .overlay {
        AsyncImage(url: face.url(side: side, base: base)) { image in
          image.resizable().scaledToFill()
        } placeholder: {
          Color.clear
        }
        .clipShape(Circle())
      }
      .accessibilityHidden(true)
  }
}

private struct FaceBase: EnvironmentKey {
  static let defaultValue: URL? = nil
}

extension EnvironmentValues {
  /// The instance, whose addresses pictures of people have.
  public var faceBase: URL? {
    get { self[FaceBase.self] }
    set { self[FaceBase.self] = newValue }
  }
}
