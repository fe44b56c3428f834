internal import Contract

extension Operation {
  static let exports: [Operation] =
    [
      Operation(
        id: "requestExport", route: .exports, method: "POST", tag: "exports",
        summary: "Has all that is kept of the account put together as an archive.",
        about: "One at a time. The archive takes the place of the one before, and is there for a week.",
        parameters: [.idempotencyKey("Chosen anew for each archive; the same again is the same archive.")],
        answers: [
          .json(
            202, "It is being put together.", DataExport.self, links: Link.byID(at: "/id", "deleteExport"))
        ],
        codes: [.exportUnderWay, .exportsTooMany, .exportNotFound], access: .accounts,
        limit: .caller(.accountChanges))
    ]
    + reading(
      "exports", .exports, "exports", "The archives of the account, and how far one is that is being made.",
      DataExportList.self, access: .accounts, links: Link.byID(at: "/items/0/id", "deleteExport"))
    + [
      Operation(
        id: "deleteExport", route: .export, method: "DELETE", tag: "exports",
        summary: "Deletes an archive, or ends its making.", answers: [.empty(204, "It is gone.")],
        codes: [.exportNotFound], access: .accounts, limit: .caller(.accountChanges))
    ]
}
