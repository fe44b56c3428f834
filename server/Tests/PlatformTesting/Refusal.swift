import Contract
import Platform

/// With which code something was refused; nil: it was not.
func refusal(_ work: () async throws -> some Any) async -> ErrorCode? {
  do {
    _ = try await work()
    return nil
  } catch { return (error as? AppError)?.code }
}
