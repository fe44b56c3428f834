// How large pictures are that have so many bits a second.

// From so many bits on the short edge has so many lines.
const EDGES = [[3_500_000, 1080], [1_200_000, 720], [0, 540]];

/** Nothing is enlarged, and all is even, as codecs want it. */
export function sizeFor({ width, height }, bitrate) {
  const scale = Math.min(1, EDGES.find(([bits]) => bitrate >= bits)[1] / Math.min(width, height));
  const even = (length) => Math.max(2, Math.round((length * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
