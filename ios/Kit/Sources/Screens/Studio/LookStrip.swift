internal import AppModel
internal import Foundation
internal import SwiftUI
internal import UIKit

/// All looks, each on a picture, and how strong the chosen one is.
struct LookStrip: View {
  let choice: LookChoice
  /// As JPEG by number; none while there are no pictures.
  let pictures: [Data]
  let choose: (LookChoice) -> Void

  var body: some View {
    VStack(spacing: 8) {
      if choice.look != LookChoice.plain.look {
        Slider(value: strength, in: 0...100, step: 1) { Text("Strength") }
          .frame(maxWidth: 360)
          .accessibilityValue(Text("\(choice.strength) %"))
      }
      ScrollViewReader { strip in
        ScrollView(.horizontal, showsIndicators: false) {
          LazyHStack(spacing: 8) {
            ForEach(LookChoice.names.indices, id: \.self) { look in tile(look).id(look) }
          }
          .padding(.horizontal, 4)
        }
        .frame(height: 120)
        .onAppear { strip.scrollTo(choice.look, anchor: .center) }
      }
    }
    .padding(8)
    .background(.ultraThinMaterial, in: RoundedRectangle(cornerRadius: 16))
    .sensoryFeedback(.selection, trigger: choice.look)
  }

  private var strength: Binding<Double> {
    Binding(
      get: { Double(choice.strength) },
      set: { choose(LookChoice(look: choice.look, strength: Int($0.isFinite ? min(max($0, 0), 100) : 100))) })
  }

  private func tile(_ look: Int) -> some View {
    let isChosen = look == choice.look
    return Button {
      // The chosen one keeps its strength, another comes at its full one.
      choose(LookChoice(look: look, strength: isChosen ? choice.strength : 100))
    } label: {
      VStack(spacing: 4) {
        picture(look)
          .frame(width: 56, height: 84)
          .clipShape(RoundedRectangle(cornerRadius: 8))
          .overlay {
            RoundedRectangle(cornerRadius: 8).stroke(isChosen ? Color.white : Color.clear, lineWidth: 2)
          }
        Text(LocalizedStringKey(LookChoice.names[look])).font(.caption2).lineLimit(1)
      }
      .frame(width: 64)
    }
    .accessibilityAddTraits(isChosen ? .isSelected : [])
  }

  @ViewBuilder private func picture(_ look: Int) -> some View {
    if look < pictures.count, let image = UIImage(data: pictures[look]) {
      Image(uiImage: image).resizable().scaledToFill()
    } else {
      Color.white.opacity(0.2)
    }
  }
}
