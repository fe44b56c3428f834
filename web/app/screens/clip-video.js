// A recorded file as an element that plays it.

const PATIENCE_MS = 8000;
// Farther than any clip; a browser that looks for it finds out where the end is.
const FAR_S = 1e7;

export const happened = (video, name) => new Promise((resolve, reject) => {
  const timer = setTimeout(() => reject(new Error(`no ${name} in time`)), PATIENCE_MS);
  const end = (act) => () => {
    clearTimeout(timer);
    act();
  };
  video.addEventListener(name, end(resolve), { once: true });
  video.addEventListener('error', end(() => reject(video.error)), { once: true });
});

/** Loads a file up to its size and length. `free` gives all of it back. */
export async function openVideo(file) {
  const video = document.createElement('video');
  const address = URL.createObjectURL(file);
  const free = () => {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(address);
  };
  Object.assign(video, { playsInline: true, preload: 'auto', src: address });
  try {
    await happened(video, 'loadedmetadata');
  } catch (error) {
    free();
    throw error;
  }
  return { video, free };
}

/** How long a file is, in ms; 0 if nothing in it can be played. */
export async function lengthOf(file) {
  let opened;
  try {
    opened = await openVideo(file);
  } catch (error) {
    // NB: a browser that is only slow must not pass for a file that is broken.
    if (error instanceof MediaError) return 0;
    throw error;
  }
  const { video, free } = opened;
  try {
    if (!Number.isFinite(video.duration)) {
      const sought = happened(video, 'durationchange');
      video.currentTime = FAR_S;
      await sought;
    }
    return Math.round(video.duration * 1000);
  } finally {
    free();
  }
}

/** Calls `draw` for each new picture of a video until the answer is called. */
export function onPictures(video, draw) {
  let request = 0;
  const [ask, drop] = video.requestVideoFrameCallback
    ? [(step) => video.requestVideoFrameCallback(step), (id) => video.cancelVideoFrameCallback(id)]
    : [(step) => requestAnimationFrame(step), (id) => cancelAnimationFrame(id)];
  const step = () => {
    request = ask(step);
    draw();
  };
  request = ask(step);
  return () => drop(request);
}
