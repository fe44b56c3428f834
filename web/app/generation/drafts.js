// What somebody has written and not sent yet, and by which key it was tried to be sent: so that a reload loses no word, and a second tap
// or a try after a lost answer makes one clip. It refuses to know when something is sent.

const KEY = 'clipfeed.generation';
// Of refinements that nobody came back to, the oldest go.
const MOST = 20;

const isText = (value) => typeof value === 'string';

export class Drafts {
  #storage;
  #of;
  #newKey;
  // By name, the last that was touched behind: `{fields, attempt: {key, body}}`.
  #drafts;

  /** `storage` as `localStorage`, or null; `of` is whose they are: nobody reads another's. `newKey()` answers one. */
  constructor(storage, of, newKey) {
    this.#storage = storage;
    this.#of = of;
    this.#newKey = newKey;
    this.#drafts = this.#read() ?? new Map();
  }

  /** What was written under a name; `{}` if nothing was. */
  fields(name) {
    this.#look();
    return this.#drafts.get(name)?.fields ?? {};
  }

  write(name, fields) {
    this.#look();
    this.#put(name, { ...this.#drafts.get(name), fields });
  }

  /** By which key this is asked for: the same one until somebody knows what became of it. */
  keyFor(name, body) {
    this.#look();
    const text = JSON.stringify(body);
    const draft = this.#drafts.get(name) ?? { fields: {} };
    if (draft.attempt?.body === text) return draft.attempt.key;
    const key = this.#newKey();
    this.#put(name, { ...draft, attempt: { key, body: text } });
    return key;
  }

  /** It was refused: the next try is another one. What was written stays. */
  refused(name) {
    this.#look();
    const draft = this.#drafts.get(name);
    if (draft) this.#put(name, { fields: draft.fields });
  }

  /** It is asked for, or not wanted. */
  forget(name) {
    this.#look();
    this.#drafts.delete(name);
    this.#store();
  }

  /** Another tab may have written since. */
  #look() {
    this.#drafts = this.#read() ?? this.#drafts;
  }

  #put(name, draft) {
    this.#drafts.delete(name);
    this.#drafts.set(name, draft);
    while (this.#drafts.size > MOST) this.#drafts.delete(this.#drafts.keys().next().value);
    this.#store();
  }

  #store() {
    try {
      if (this.#drafts.size) this.#storage?.setItem(KEY, JSON.stringify({ of: this.#of, drafts: [...this.#drafts] }));
      else this.#storage?.removeItem(KEY);
    } catch { /* storage may be full: it is kept as long as the page is there */ }
  }

  /** Null: there is nothing that can be read, or it is somebody else's. */
  #read() {
    try {
      const { of, drafts } = JSON.parse(this.#storage.getItem(KEY));
      if (of !== this.#of) return null;
      return new Map(drafts.filter(([name, draft]) => isText(name) && draft.fields).map(([name, { fields, attempt }]) => [name,
        isText(attempt?.key) && isText(attempt.body) ? { fields, attempt } : { fields }]));
    } catch {
      return null;
    }
  }
}
