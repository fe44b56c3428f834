// ThumbHash: a picture in some 25 bytes, a few cosine terms of brightness and two colour differences.
// It refuses to know what the picture shows and where its canvas is.

const bits = (value, from, count) => (value >> from) & ((1 << count) - 1);

/** `{width, height, pixels}` with RGBA pixels, at most 32 on the long edge. Frames of a video have
 *  no transparent parts, so the format's alpha plane is left out. */
export function decodeThumbHash(hash) {
  const low = hash[0] | (hash[1] << 8) | (hash[2] << 16);
  const high = hash[3] | (hash[4] << 8);
  const landscape = bits(high, 15, 1) === 1;
  const columns = landscape ? 7 : Math.max(3, bits(high, 0, 3));
  const rows = landscape ? Math.max(3, bits(high, 0, 3)) : 7;
  const next = nibbles(hash, 5);
  const luma = plane(columns, rows, bits(low, 0, 6) / 63, bits(low, 18, 5) / 31, next);
  const warm = plane(3, 3, bits(low, 6, 6) / 31.5 - 1, (bits(high, 3, 6) / 63) * 1.25, next);
  const red = plane(3, 3, bits(low, 12, 6) / 31.5 - 1, (bits(high, 9, 6) / 63) * 1.25, next);
  return paintPixels(aspect(columns, rows), luma, warm, red);
}

/** Paints a base64 ThumbHash on a canvas; a broken one leaves it as it is. */
export function paintThumbHash(canvas, base64) {
  try {
    const hash = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const { width, height, pixels } = decodeThumbHash(hash);
    canvas.width = width;
    canvas.height = height;
    canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  } catch { /* a clip without a placeholder is still a clip */ }
}

function aspect(columns, rows) {
  const ratio = columns / rows;
  return {
    width: Math.round(ratio > 1 ? 32 : 32 * ratio),
    height: Math.round(ratio > 1 ? 32 / ratio : 32),
  };
}

/** Reads half bytes, the low half first. */
function nibbles(hash, start) {
  let at = start * 2;
  return () => bits(hash[at >> 1], (at++ & 1) << 2, 4);
}

/** One plane: its mean and the terms of a triangle of frequencies, without the one for (0, 0). */
function plane(columns, rows, mean, scale, next) {
  const terms = [];
  for (let y = 0; y < rows; y += 1) {
    for (let x = y ? 0 : 1; x * rows < columns * (rows - y); x += 1) {
      terms.push({ x, y, weight: (next() / 7.5 - 1) * scale * 2 });
    }
  }
  return { mean, terms };
}

function cosines(size) {
  return Array.from({ length: size }, (_, at) => Array.from({ length: 8 },
    (_, frequency) => Math.cos((Math.PI / size) * (at + 0.5) * frequency)));
}

function paintPixels({ width, height }, luma, warm, red) {
  const pixels = new Uint8ClampedArray(width * height * 4);
  const across = cosines(width);
  const down = cosines(height);
  const value = ({ mean, terms }, x, y) =>
    terms.reduce((sum, t) => sum + t.weight * across[x][t.x] * down[y][t.y], mean);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      const l = value(luma, x, y);
      const p = value(warm, x, y);
      const q = value(red, x, y);
      const b = l - (2 / 3) * p;
      const r = (3 * l - b + q) / 2;
      pixels[at] = 255 * r;
      pixels[at + 1] = 255 * (r - q);
      pixels[at + 2] = 255 * b;
      pixels[at + 3] = 255;
    }
  }
  return { width, height, pixels };
}
