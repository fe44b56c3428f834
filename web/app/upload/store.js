// What of an upload outlives the page: the machine's snapshot with what the person wrote, and the file itself where
// the browser has room for it, so that nobody has to choose it again.

import { answered, committed } from '../screens/database.js';

const NAME = 'clipfeed-upload';
const NOTES = 'notes';
const ROW = 'row';
const FILE = 'file';
// The page looks here whether there is anything to go on with, before it loads what could.
const MARK = 'clipfeed.upload';

function mark(isThere) {
  try {
    if (isThere) localStorage.setItem(MARK, '1'); else localStorage.removeItem(MARK);
  } catch { /* the upload screen finds it anyway */ }
}

export class Store {
  #db;
  #row = null;

  static async open(storage = globalThis.indexedDB) {
    const request = storage.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(NOTES);
    return new Store(await answered(request));
  }

  constructor(db) {
    this.#db = db;
    // Another tab has a newer version of the page; this one must not hold it up.
    db.onversionchange = () => db.close();
  }

  /** `{words, name, details, sourceType, owner}` as it was written last; null if there is nothing to go on with. */
  async row() {
    this.#row = await answered(this.#notes('readonly').get(ROW)) ?? null;
    mark(this.#row);
    return this.#row;
  }

  /** Resolved when what has changed is on the disk. */
  async save(change) {
    this.#row = { ...this.#row, ...change };
    const notes = this.#notes('readwrite');
    notes.put(this.#row, ROW);
    await committed(notes.transaction);
    mark(true);
  }

  /** The same for what the person wrote, which counts only beside a snapshot. */
  async saveDetails(details) {
    if (this.#row) await this.save({ details });
  }

  /** False if there is no room for it. */
  async keepFile(file) {
    try {
      const { quota, usage = 0 } = await navigator.storage?.estimate?.() ?? {};
      // NB: some browsers write a file twice on its way.
      if (quota && quota - usage < 2 * file.size) return false;
      const notes = this.#notes('readwrite');
      notes.put(file, FILE);
      await committed(notes.transaction);
      return true;
    } catch (error) {
      console.warn('the file has to be chosen again after a reload', error);
      return false;
    }
  }

  /** Null if it is not there. */
  async file() {
    return await answered(this.#notes('readonly').get(FILE)) ?? null;
  }

  async dropFile() {
    await this.#drop([FILE]);
  }

  /** There is nothing to go on with any more. */
  async clear() {
    this.#row = null;
    mark(false);
    await this.#drop([ROW, FILE]);
  }

  close() {
    this.#db.close();
  }

  async #drop(keys) {
    const notes = this.#notes('readwrite');
    for (const key of keys) notes.delete(key);
    await committed(notes.transaction);
  }

  #notes(mode) {
    return this.#db.transaction(NOTES, mode).objectStore(NOTES);
  }
}
