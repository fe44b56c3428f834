public import ArgumentParser
public import Composition
internal import Configured
public import FFmpeg
public import Platform

/// What every command shares: which instance it is about.
public struct DataOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.data)) public private(set) var data: String?
  @OptionGroup public var database: DatabaseOptions
  @OptionGroup public var storage: StorageOptions
  @OptionGroup var configuration: ConfigurationOptions

  public init() {}

  public mutating func validate() throws { data = try settled(.data, data) }

  public func open(
    migrating: Bool = true, captioner: OperatorCaptioner? = nil,
    observer: (any TransactionObserving)? = nil
  ) async throws -> Instance {
    try await Instance.open(
      data ?? "./var", storage: storage.storage, database: database.place, captioner: captioner,
      migrating: migrating, observer: observer)
  }
}
