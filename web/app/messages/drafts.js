// Texts that people have not sent yet, one per clip, and by which key each was tried to be sent.
// It refuses to know when a text is stored or dropped.

const KEY = 'clipfeed.drafts';
// As many as the core keeps; of earlier visits the oldest go.
const LIMIT = 256;

const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter();

/** Characters as a person counts them. Without a segmenter code points, never fewer than those. */
export function charactersIn(text) {
  return segmenter ? [...segmenter.segment(text)].length : [...text].length;
}

export class Drafts {
  #storage;
  #visit;
  // By handle: `{clip, text, attempt}`; `attempt` is `{text, key}` of the last try to send.
  #drafts = new Map();

  /** `storage` as `localStorage`, or null; `visit` is random and new with each load of the page. */
  constructor(storage, visit) {
    this.#storage = storage;
    this.#visit = visit;
  }

  text(item) {
    return this.#drafts.get(item)?.text ?? '';
  }

  /** The clip's text of an earlier visit, if there is none of this one; undefined if there is none at all. */
  restore(item, clip) {
    const stored = this.#drafts.has(item) ? null : this.#read().get(clip);
    if (!stored) return undefined;
    this.#drafts.set(item, { clip, ...stored });
    return stored.text;
  }

  change(item, clip, text) {
    this.#drafts.set(item, { clip, text, attempt: this.#drafts.get(item)?.attempt });
  }

  /** Whether this text was tried before: then the server may have it. */
  wasTried(item) {
    const { text, attempt } = this.#drafts.get(item);
    return attempt?.text === text;
  }

  /** What goes to the server, `{clip, text, key}`. The same text, tried before, has the same key: also after a
   *  reload, so a message of which the answer got lost does not appear twice. */
  attempt(item, message) {
    const draft = this.#drafts.get(item);
    if (!this.wasTried(item)) draft.attempt = { text: draft.text, key: `${this.#visit}-${message}` };
    this.store(item);
    return { clip: draft.clip, ...draft.attempt };
  }

  store(item) {
    const draft = this.#drafts.get(item);
    if (!draft) return;
    this.#write((stored) => {
      stored.delete(draft.clip);
      stored.set(draft.clip, { text: draft.text, attempt: draft.attempt });
    });
  }

  drop(item) {
    const draft = this.#drafts.get(item);
    this.#drafts.delete(item);
    if (draft) this.#write((stored) => stored.delete(draft.clip));
  }

  /** What is stored by clip, oldest first; whatever is damaged counts as not there. */
  #read() {
    try {
      const rows = JSON.parse(this.#storage.getItem(KEY));
      return new Map(rows.filter(([clip, draft]) => typeof clip === 'string' && draft.text
        && typeof draft.text === 'string'));
    } catch {
      return new Map();
    }
  }

  #write(change) {
    const stored = this.#read();
    change(stored);
    const rows = [...stored].slice(-LIMIT);
    try {
      if (rows.length) this.#storage.setItem(KEY, JSON.stringify(rows)); else this.#storage.removeItem(KEY);
    } catch { /* storage may be off or full; the text stays in the field */ }
  }
}
