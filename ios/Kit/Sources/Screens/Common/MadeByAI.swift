internal import SwiftUI

/// Stands beside the caption of a clip that AI made, wherever it is shown.
struct MadeByAI: View {
  var body: some View {
    Label("Made by AI", systemImage: "sparkles").font(.caption)
  }
}
