internal import Contract
internal import HTTPTypes
internal import Hummingbird
public import Platform

extension Responder {
  /// What a browser, a messenger and another site see of clips, tags and sounds: pages with what is public in
  /// their heads, a player for other sites' pages, and what oEmbed says of it.
  public static func clipPages(
    of feed: any FeedReading, sealing: any ClipSealing, on site: Site
  ) -> Responder {
    let pages = ClipPages(feed: feed, sealing: sealing, site: site)
    return Responder(.clipPage, .tagPage, .soundPage, .embed, .oembed) { asked in
      switch asked.route {
      case .clipPage: try await pages.page(of: asked.value, asked.request)
      case .tagPage: try await pages.page(ofTag: asked.value, asked.request)
      case .soundPage: try await pages.page(ofSound: asked.value, asked.request)
      case .embed: try await pages.embed(of: asked.value, asked.request)
      default: try await pages.description(asked.request)
      }
    }
  }
}

struct ClipPages: Sendable {
  let feed: any FeedReading
  let sealing: any ClipSealing
  let site: Site

  func page(of clipID: String, _ request: Request) async throws -> Response {
    do {
      let page = ClipPage(clip: try await clip(clipID), origin: site.origin.of(request))
      return try site.files.answer(page, request)
    } catch let error as AppError where error.code == .clipNotFound {
      return try site.files.answer(ClipPage(clip: nil, origin: nil), request)
    } catch let error as AppError where error.code == .clipForAdults {
      // Whoever opens it may be an adult; what previews show of it is for everybody.
      return try site.files.answer(ClipPage(clip: nil, origin: nil, isThere: true), request)
    }
  }

  func page(ofTag name: String, _ request: Request) async throws -> Response {
    let place = try ListPlace(request)
    do {
      let clips = try await feed.tagged(name, cursor: place.cursor, limit: ClipListPage.length)
      return try site.files.answer(listed: TagPage(clips: clips).page, .ok, request)
    } catch let error as AppError where error.code == .routeNotFound {
      return try site.files.answer(listed: TagPage.missingPage, .notFound, request)
    }
  }

  func page(ofSound id: String, _ request: Request) async throws -> Response {
    let place = try ListPlace(request)
    do {
      let clips = try await feed.clips(withSound: id, cursor: place.cursor, limit: ClipListPage.length)
      return try site.files.answer(listed: SoundPage(clips: clips).page, .ok, request)
    } catch let error as AppError where error.code == .routeNotFound {
      return try site.files.answer(listed: SoundPage.missingPage, .notFound, request)
    }
  }

  func embed(of clipID: String, _ request: Request) async throws -> Response {
    do {
      let embed = ClipEmbed(clip: try await clip(clipID), origin: "")
      return try site.files.answer(embedded: embed.page, .ok, request)
    } catch let error as AppError where error.code == .clipNotFound {
      return try site.files.answer(embedded: ClipEmbed.missingPage, .notFound, request)
    } catch let error as AppError where error.code == .clipForAdults {
      return try site.files.answer(embedded: ClipEmbed.page(forAdults: clipID), .forbidden, request)
    }
  }

  func description(_ request: Request) async throws -> Response {
    guard let origin = site.origin.of(request) else { throw AppError(.clipNotFound) }
    let question = try ClipEmbed.Question(request, origin: origin)
    let embed = ClipEmbed(clip: try await clip(question.clipID), origin: origin)
    var response = try Response.json(embed.description(for: question), to: request)
    // It says what everybody may know, so every page may read it.
    response.headers[.accessControlAllowOrigin] = "*"
    return response
  }

  /// For a page that anybody may open.
  private func clip(_ id: String) async throws -> Clip {
    try await sealing.sealed(feed.clip(id: id, forOwner: false, for: nil), forOwner: false)
  }
}
