// Tells the core what became of the frames of clips that play: how many were seen, and how many came too late from the decoder.
// It refuses to know which clip it is, and what follows from that.

import { EVENT } from '../core/core.js';

// Two seconds of most clips.
const FRAMES_COUNTED = 60;

/** Counts while a video plays as fast as it is and somebody looks: else a browser drops frames that it should. */
function watch(video, report) {
  let before = null;
  const forget = () => { before = null; };
  // On the way to another place frames are decoded that nobody is to see.
  for (const type of ['emptied', 'pause', 'seeking', 'seeked', 'ratechange']) video.addEventListener(type, forget);
  document.addEventListener('visibilitychange', forget);
  video.addEventListener('timeupdate', () => {
    if (video.paused || video.seeking || document.hidden || video.playbackRate !== 1) return;
    const now = video.getVideoPlaybackQuality();
    before ??= now;
    const frames = now.totalVideoFrames - before.totalVideoFrames;
    if (frames < FRAMES_COUNTED) return;
    const dropped = now.droppedVideoFrames - before.droppedVideoFrames;
    before = now;
    report(EVENT.framesShown, Math.min(video.videoWidth, video.videoHeight), frames - dropped, dropped);
  });
}

export function watchFrames(videos, report) {
  for (const video of videos) if (video.getVideoPlaybackQuality) watch(video, report);
}
