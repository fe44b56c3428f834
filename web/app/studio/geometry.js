// Sizes and places of pictures, without any drawing.

// A video is upright, nine to sixteen, and at most so tall (px).
const WIDE = 9;
const TALL = 16;
const TALLEST = 1920;

/** The largest part in the middle of a picture that has the shape of `box`, as shares of the picture. */
export function coverOf(picture, box) {
  const ratio = (picture.width * box.height) / (picture.height * box.width);
  const width = ratio > 1 ? 1 / ratio : 1;
  const height = ratio > 1 ? 1 : ratio;
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

/** How large a video is made of pictures of this size: upright, nothing enlarged, even as codecs want it. */
export function uprightSize(picture) {
  const height = Math.min(picture.height, (picture.width * TALL) / WIDE, TALLEST);
  const even = (length) => Math.max(2, Math.round(length / 2) * 2);
  return { width: even((height * WIDE) / TALL), height: even(height) };
}

/** The parts of the progress bar: where each clip begins and how long it is, as shares of the limit. */
export function marksOf({ limit, clips }) {
  const last = clips.at(-1)?.take;
  let at = 0;
  return clips.map(({ played, take }) => {
    const mark = { start: at / limit, length: played / limit, isLast: take === last };
    at += played;
    return mark;
  });
}
