internal import Generation

/// The dialects that a provider can speak, as the configuration names them.
public enum ProviderDialect: String, Sendable, CaseIterable {
  case openAI = "openai-videos"
  case veo
  case runway
  case command
}
