// The clips' files and the list of them, in IndexedDB. A file is kept as the pieces in which the recorder
// hands it over, so that a crash costs the last second. Transactions run in the order in which they were
// begun: a piece that was appended before a `drop` goes with it.

import { answered, committed } from '../screens/database.js';

const NAME = 'clipfeed-studio';
const PIECES = 'pieces';
const NOTES = 'notes';
const LIST = 'list';

export class Files {
  #db;

  static async open(storage = globalThis.indexedDB) {
    const request = storage.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(PIECES, { autoIncrement: true }).createIndex('clip', 'clip');
      request.result.createObjectStore(NOTES);
    };
    return new Files(await answered(request));
  }

  constructor(db) {
    this.#db = db;
    // Another tab has a newer version of the page; this one must not hold it up.
    db.onversionchange = () => db.close();
  }

  /** What `storeList` wrote last; null if nothing. */
  async list() {
    return await answered(this.#store(NOTES, 'readonly').get(LIST)) ?? null;
  }

  /** Resolved when the list is on the disk. */
  async storeList(list) {
    const store = this.#store(NOTES, 'readwrite');
    store.put(list, LIST);
    await committed(store.transaction);
  }

  /** Resolved when the piece is on the disk. */
  async append(clip, bytes) {
    const store = this.#store(PIECES, 'readwrite');
    store.add({ clip, bytes });
    await committed(store.transaction);
  }

  /** The file of a clip, as far as it was written; null if there is nothing. */
  async file(clip) {
    const pieces = await answered(this.#store(PIECES, 'readonly').index('clip').getAll(clip));
    if (!pieces.length) return null;
    return new Blob(pieces.map(({ bytes }) => bytes), { type: pieces[0].bytes.type });
  }

  drop(clip) {
    return this.#dropWhere((found) => found === clip);
  }

  /** Drops what a crash left behind of clips that are in no list any more. */
  dropAllBut(clips) {
    return this.#dropWhere((found) => !clips.includes(found));
  }

  close() {
    this.#db.close();
  }

  #store(name, mode) {
    return this.#db.transaction(name, mode).objectStore(name);
  }

  async #dropWhere(isUnwanted) {
    const store = this.#store(PIECES, 'readwrite');
    const cursor = store.index('clip').openKeyCursor();
    cursor.onsuccess = () => {
      const at = cursor.result;
      if (!at) return;
      if (isUnwanted(at.key)) store.delete(at.primaryKey);
      at.continue();
    };
    await committed(store.transaction);
  }
}

/** The list as it is in truth: without the clips whose files are gone, and with the length found in place
 *  of 0 where one was being recorded. */
export async function found(list, files, lengthOf) {
  const clips = [];
  for (const clip of list.clips) {
    const file = await files.file(clip.clip);
    if (file) clips.push(clip.captured ? clip : { ...clip, captured: await lengthOf(file) });
  }
  return { ...list, clips };
}
