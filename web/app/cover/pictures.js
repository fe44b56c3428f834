// Where the pictures of a strip come from: the file on this device, or the storyboard that the server made of it. Both
// draw the picture of an instant, in ms, over a whole canvas.

import { happened, lengthOf, openVideo } from '../screens/clip-video.js';

// Between two pictures that can be told apart; also how far a key goes.
const STEP_MS = 100;
// A little behind the instant: a browser may round to the frame before.
const BEHIND_S = 0.001;

/** Rejects for a file that this browser cannot play. */
export async function picturesOfFile(file) {
  const length = await lengthOf(file);
  const { video, free } = await openVideo(file);
  if (!video.videoWidth || length <= STEP_MS) {
    free();
    throw new Error('nothing in it can be seen');
  }
  video.muted = true;
  // One seek after the other: a video is at one place at a time.
  let line = Promise.resolve();
  const go = async (canvas, ms) => {
    const sought = happened(video, 'seeked');
    video.currentTime = Math.min(ms / 1000 + BEHIND_S, length / 1000 - BEHIND_S);
    await sought;
    // It may have been the answer to an earlier question, which was given up.
    while (video.seeking) await happened(video, 'seeked');
    fill(canvas, video, 0, 0, video.videoWidth, video.videoHeight);
  };
  return {
    aspect: video.videoWidth / video.videoHeight,
    step: STEP_MS,
    last: Math.floor((length - 1) / STEP_MS) * STEP_MS,
    draw: (canvas, ms) => {
      const drawn = line.then(() => go(canvas, ms));
      line = drawn.catch(() => {});
      return drawn;
    },
    free,
  };
}

/** Of a clip's `playback.storyboard`. */
export async function picturesOfStoryboard(board) {
  const image = Object.assign(new Image(), { src: board.url });
  await image.decode();
  const [width, height] = [board.tile_width, board.tile_height];
  return {
    aspect: width / height,
    step: board.interval_ms,
    last: (board.count - 1) * board.interval_ms,
    draw: async (canvas, ms) => {
      const tile = Math.min(Math.round(ms / board.interval_ms), board.count - 1);
      fill(canvas, image, (tile % board.columns) * width, Math.floor(tile / board.columns) * height, width, height);
    },
    free: () => {},
  };
}

/** As much of the middle as fits the canvas. */
function fill(canvas, source, x, y, width, height) {
  const scale = Math.min(width / canvas.width, height / canvas.height);
  const [w, h] = [canvas.width * scale, canvas.height * scale];
  canvas.getContext('2d').drawImage(source, x + (width - w) / 2, y + (height - h) / 2, w, h, 0, 0, canvas.width, canvas.height);
}
