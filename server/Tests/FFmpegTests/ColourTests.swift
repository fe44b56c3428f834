import Foundation
import Platform
import Testing

@testable import FFmpeg
@testable import Transcoding

@Suite struct ColourTests {
  @Test func dolbyVisionWithoutAPictureForOtherScreensIsRefused() throws {
    let json = """
      {"streams":[{"index":0,"codec_type":"video","codec_name":"hevc","width":1920,"height":1080,
      "side_data_list":[{"dv_profile":PROFILE,"dv_bl_signal_compatibility_id":COMPATIBLE}]}],
      "packets":[{"stream_index":0,"pts_time":"0"},{"stream_index":0,"pts_time":"0.04"}]}
      """
    func read(_ profile: Int, _ compatible: Int) throws -> SourceReport {
      let text = json.replacing("PROFILE", with: "\(profile)").replacing("COMPATIBLE", with: "\(compatible)")
      return try JSONDecoder().decode(Probe.self, from: Data(text.utf8)).report()
    }
    #expect(throws: AppError.self) { try read(5, 0) }
    #expect(throws: Never.self) { try read(8, 4) }
  }
}
