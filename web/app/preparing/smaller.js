// A smaller file of the same video: encoded by the device's codecs, else by playing it. It refuses to know whether that is
// worth the time.

import { compress, NoCodec } from './compress.js';
import { refuseHighRange } from './codecs.js';
import { readMovie } from './movie.js';

/** The file, maybe of another kind than the one that it is made of. */
export async function smaller(file, target, signal, progressed) {
  // What cannot be read here may play all the same.
  const movie = await readMovie(file).catch(() => null);
  signal.throwIfAborted();
  if (movie) {
    refuseHighRange(movie.video);
    try {
      return await compress(movie, target, signal, progressed);
    } catch (error) {
      if (!(error instanceof NoCodec)) throw error;
    }
  }
  const { playSmaller } = await import('./playing.js');
  return playSmaller(file, target, signal, progressed);
}
