public import AppModel
internal import Contract
public import SwiftUI

/// The tabs of the feed, over it; or the way back to the grid out of which its clips were opened.
public struct TabsBar: View {
  private let tabs: FeedTabs

  public init(_ tabs: FeedTabs) { self.tabs = tabs }

  public var body: some View {
    Group {
      if let back = tabs.back {
        Button {
          tabs.goBack()
        } label: {
          HStack(spacing: 4) {
            Image(systemName: "chevron.backward")
            Text(verbatim: back.words).lineLimit(1)
          }
          .frame(minHeight: 44)
        }
        .accessibilityLabel(Text("Back to \(back.words)"))
      } else {
        HStack(spacing: 0) {
          ForEach(FeedTabs.all, id: \.self) { button($0) }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel("Feed")
      }
    }
    .font(.headline)
    .foregroundStyle(.white)
    .shadow(color: .black, radius: 3)
    .dynamicTypeSize(...DynamicTypeSize.xxxLarge)
  }

  private func button(_ tab: FeedTab) -> some View {
    let isChosen = tab == tabs.chosen
    return Button {
      tabs.press(tab)
    } label: {
      Text(verbatim: tab.title.words)
        .lineLimit(1)
        .fixedSize()
        .opacity(isChosen ? 1 : 0.75)
        .padding(.horizontal, 8)
        .frame(minWidth: 44, minHeight: 44)
        .overlay(alignment: .bottom) {
          Capsule().frame(width: 24, height: 3).padding(.bottom, 6)
            .opacity(isChosen ? (tabs.isTurning ? 0.4 : 1) : 0)
        }
    }
    .accessibilityAddTraits(isChosen ? .isSelected : [])
  }
}
