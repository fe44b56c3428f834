// Which file a browser can record, and what such a file is called.

// MP4 with the sound that every player knows first; then what browsers without that encoder have. VP8
// before VP9: it is encoded in real time, often without help from the hardware.
const TYPES = [
  'video/mp4;codecs=avc1.64002A,mp4a.40.2', 'video/mp4;codecs=avc1.64001F,mp4a.40.2', 'video/mp4;codecs=avc1.42E01F,mp4a.40.2',
  'video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4',
];

/** The first type that the browser records; null where it records none. */
export function recordedType(recorder = globalThis.MediaRecorder) {
  return TYPES.find((type) => recorder?.isTypeSupported?.(type)) ?? null;
}

export const isWebm = (type) => type.startsWith('video/webm');

const two = (number) => String(number).padStart(2, '0');

/** clipfeed-2026-01-31-0905.mp4 */
export function fileName(type, at = new Date()) {
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `clipfeed-${day}-${two(at.getHours())}${two(at.getMinutes())}.${isWebm(type) ? 'webm' : 'mp4'}`;
}
