// What a file says of AI, before another one is made of it that says nothing. Which bytes tell, and what they mean, the
// core decides (`MarkReader`, docs/design/upload.md); this brings them.

// IPTC's words for the marks of the core, by their numbers. A larger one says more.
const SOURCE_TYPES = [null, 'compositeWithTrainedAlgorithmicMedia', 'trainedAlgorithmicMedia'];
// Read at once: heads of boxes lie close to each other where there are many.
const PIECE_BYTES = 4096;

/** The digital source type that the file names; null: none. `exports` are those of upload.wasm. */
export async function sourceTypeOf(file, exports, signal) {
  const read = piecesOf(file);
  exports.marks_begin(BigInt(file.size));
  for (;;) {
    const place = Number(exports.marks_place());
    if (place < 0) return SOURCE_TYPES[exports.marks_found()] ?? null;
    const count = exports.marks_count();
    const bytes = await read(place, count);
    // NB: there is one reader, and another look may have begun with it.
    signal.throwIfAborted();
    const buffer = exports.marks_buffer();
    new Uint8Array(exports.memory.buffer, buffer, bytes.length).set(bytes);
    exports.marks_take(bytes.length);
  }
}

/** `read(place, count)` of at most `count` bytes. */
function piecesOf(file) {
  let [from, piece] = [0, new Uint8Array()];
  return async (place, count) => {
    if (place < from || place + count > from + piece.length) {
      from = place;
      piece = new Uint8Array(await file.slice(place, place + Math.max(count, PIECE_BYTES)).arrayBuffer());
    }
    return piece.subarray(place - from, place - from + count);
  };
}

/** The one of two that says more; null: neither says anything. */
export const stronger = (one, other) =>
  SOURCE_TYPES[Math.max(0, SOURCE_TYPES.indexOf(one), SOURCE_TYPES.indexOf(other))];
