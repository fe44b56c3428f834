// Texts that people have not sent yet, one per clip, those on their way beside them, and by which key each was tried to be
// sent. Each account has its own book of them, and guests have one together. It refuses to know when a text is stored, sent or dropped.

import { signedIn } from '../auth/auth.js';

const KEY = 'clipfeed.messages';
// As many as the core keeps; of earlier visits the oldest go.
const LIMIT = 256;

const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter();

/** Characters as a person counts them. Without a segmenter code points, never fewer than those. */
export function charactersIn(text) {
  return segmenter ? [...segmenter.segment(text)].length : [...text].length;
}

const together = (parts) => parts.map(({ text }) => text).filter(Boolean).join('\n');

/** What a text is sent as. What was tried before and still stands at its beginning goes under its old key, since it may have
 *  arrived; the rest is a message of its own. */
export function partsOf(text, tried, key) {
  const parts = [];
  let rest = text;
  for (const part of tried) {
    if (rest !== part.text && !rest.startsWith(`${part.text}\n`)) break;
    parts.push({ ...part, wasTried: true });
    rest = rest.slice(part.text.length + 1);
  }
  return rest.trim() ? [...parts, { text: rest, key, wasTried: false }] : parts;
}

export class Drafts {
  #storage;
  #visit;
  #key;
  // Whose texts these are; a guest has no name.
  #who;
  // By item: `{clip, text, tried, away, rests, isNew}`. `tried`: parts of the last try; `away`: `{message, parts}`, on its way;
  // `rests`: its clip has left the feed for a while; `isNew`: it is not stored.
  #held = new Map();

  /** `storage` as `localStorage`, or null; `visit` is random and new with each load of the page. */
  constructor(storage, visit, key = KEY) {
    this.#storage = storage;
    this.#visit = visit;
    this.#key = key;
  }

  get #drafts() {
    this.turn();
    return this.#held;
  }

  get #book() {
    return this.#who ? `${this.#key} ${this.#who}` : this.#key;
  }

  /** To the texts of whoever is here now: an account's stay in its book, a guest's go along into the account. Answers the items that
   *  had one; each is to be restored. */
  turn() {
    const who = signedIn()?.id;
    if (who === this.#who) return [];
    const items = [...this.#held.keys()];
    for (const [item, draft] of this.#held) {
      if (draft.isNew) this.#keep(draft);
      // What a guest's browser keeps nowhere goes along as it is.
      if (this.#who || !draft.isNew) this.#held.delete(item);
    }
    this.#who = who;
    if (who) this.#takeOver(this.#read(this.#key));
    return items;
  }

  #takeOver(guests) {
    const isKept = guests.size && this.#write((stored) => {
      for (const [clip, draft] of guests) {
        const { text, tried, away } = stored.get(clip) ?? draft;
        stored.delete(clip);
        stored.set(clip, text === draft.text ? draft : { text: together([{ text }, draft]), tried, away: [...away, ...draft.away] });
      }
    });
    if (isKept) this.#storage.removeItem(this.#key);
  }

  text(item) {
    return this.#drafts.get(item)?.text ?? '';
  }

  /** The clip's text of an earlier visit, if there is none of this one; undefined if there is none at all. What was on its
   *  way then is part of it. Also a text whose clip is in the feed again. */
  restore(item, clip) {
    const resting = this.#drafts.get(item);
    if (resting?.rests) {
      resting.rests = false;
      return resting.text || undefined;
    }
    const stored = this.#drafts.has(item) ? null : this.#read().get(clip);
    if (!stored) return undefined;
    const text = together([...stored.away, { text: stored.text }]);
    this.#drafts.set(item, { clip, text, tried: [...stored.away, ...stored.tried], away: null });
    return text;
  }

  /** Where texts are kept whose place begins like that, the latest first. */
  placesBehind(beginning) {
    return [...this.#read().keys()].filter((place) => place.startsWith(beginning)).reverse();
  }

  /** The clip leaves the feed and may come back: nothing of its text is lost. */
  rest(item) {
    const draft = this.#drafts.get(item);
    if (!draft) return;
    draft.rests = true;
    this.store(item);
  }

  change(item, clip, text) {
    const { tried = [], away = null } = this.#drafts.get(item) ?? {};
    this.#drafts.set(item, { clip, text, tried, away, isNew: true });
  }

  /** Takes the text out of its place; answers `{clip, parts}`, each of which is a message. */
  send(item, message) {
    const { clip, text, tried } = this.#drafts.get(item);
    const parts = partsOf(text, tried, `${this.#visit}-${message}`);
    this.#drafts.set(item, { clip, text: '', tried: [], away: { message, parts } });
    this.store(item);
    return { clip, parts };
  }

  /** What was sent comes back into its place, in front of what was written since; whichever message it was, if none is named.
   *  False if there is nothing. */
  giveBack(item, message = this.#drafts.get(item)?.away?.message) {
    const draft = this.#drafts.get(item);
    if (!draft?.away || draft.away.message !== message) return false;
    const { away, text, tried } = draft;
    Object.assign(draft, {
      text: together([...away.parts, { text }]), tried: [...away.parts, ...tried], away: null,
    });
    this.store(item);
    return true;
  }

  /** A text that waited elsewhere comes back, in front of what is written there now, to be sent under its own key if nobody changes
   *  it. Answers the item that has it at hand; false if it could not be kept. */
  takeBack(place, part) {
    const withIt = ({ text, tried, ...draft }) => (tried.some(({ key }) => key === part.key) ? { ...draft, text, tried }
      : { ...draft, text: together([part, { text }]), tried: [part, ...tried] });
    for (const [item, draft] of this.#drafts) {
      if (draft.clip !== place) continue;
      Object.assign(draft, withIt(draft));
      return this.store(item) && item;
    }
    return this.#write((stored) => {
      const draft = withIt(stored.get(place) ?? { text: '', tried: [], away: [] });
      stored.delete(place);
      stored.set(place, draft);
    }) ? undefined : false;
  }

  /** What was sent has arrived, or is given up. */
  settle(item, message) {
    const draft = this.#drafts.get(item);
    if (draft?.away?.message !== message) return;
    draft.away = null;
    if (!draft.text) this.#drafts.delete(item);
    this.#keep(draft);
  }

  /** Whether it outlives the page. */
  store(item) {
    const draft = this.#drafts.get(item);
    return draft ? this.#keep(draft) : true;
  }

  drop(item) {
    const draft = this.#drafts.get(item);
    if (!draft) return;
    const kept = { ...draft, text: '', tried: [] };
    if (draft.away) this.#drafts.set(item, kept); else this.#drafts.delete(item);
    this.#keep(kept);
  }

  #keep(draft) {
    const { clip, text, tried, away } = draft;
    draft.isNew = !this.#write((stored) => {
      stored.delete(clip);
      if (text || away) stored.set(clip, { text, tried, away: away?.parts ?? [] });
    });
    return !draft.isNew;
  }

  /** What is stored by clip, oldest first; whatever is damaged counts as not there. */
  #read(book = this.#book) {
    const parts = (all) => (Array.isArray(all) ? all : []).filter((part) => typeof part?.text === 'string'
      && typeof part.key === 'string').map(({ text, key }) => ({ text, key }));
    try {
      const rows = JSON.parse(this.#storage.getItem(book)).map(([clip, draft]) => [clip, {
        text: typeof draft.text === 'string' ? draft.text : '', away: parts(draft.away),
        // One try, as it was kept before.
        tried: parts(draft.tried ?? [draft.attempt]),
      }]);
      return new Map(rows.filter(([clip, { text, away }]) => typeof clip === 'string' && (text || away.length)));
    } catch {
      return new Map();
    }
  }

  /** Whether it outlives the page. */
  #write(change) {
    const stored = this.#read();
    change(stored);
    const rows = [...stored].slice(-LIMIT);
    try {
      if (rows.length) this.#storage.setItem(this.#book, JSON.stringify(rows)); else this.#storage.removeItem(this.#book);
      return true;
    } catch { return false; /* storage may be off or full; the text stays in the field */ }
  }
}

/** `localStorage`, where a browser has and gives it. */
export function storage() {
  try { return globalThis.localStorage; } catch { return null; }
}
