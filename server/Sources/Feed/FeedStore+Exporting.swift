public import Platform

extension FeedStore: ViewerExporting {
  public var exported: [ExportedRecords] { [] }

  public var kept: [KeptColumns] {
    [
      KeptColumns(
        "feed_spans.viewer_id",
        because: "a shorter way to say what `seen` says")
    ]
  }
}
