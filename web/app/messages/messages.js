// The host of the message bar (docs/design/studio.md, "What the host of a composer owes"): keeps one text per
// clip, sends messages and reactions, and opens the comments of a clip. Comes after the first clip moves.
// It refuses to know when somebody may write and what becomes of the feed meanwhile.

import { EVENT } from '../core.js';
import { randomKey } from '../identity/identity.js';
import { Bar, barFrom } from './bar.js';
import { Drafts, charactersIn } from './drafts.js';
import { REACTIONS, float } from './reactions.js';
import { loadCounts, sendComment, sendReaction } from './server.js';

const STYLE = '/styles/messages/messages.css';

function loadStyle(href) {
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    // Without its looks the bar still works.
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}

function storage() {
  try { return globalThis.localStorage; } catch { return null; }
}

/** `host`: `stage`, `report(kind, ...fields)`, `clip(item)`, `current()`, `recount(clip)`, `notice(text)`. */
export async function attachMessages(host) {
  await loadStyle(STYLE);
  return new Messages(host);
}

class Messages {
  #host;
  #report;
  #drafts = new Drafts(storage(), randomKey());
  #bar;
  #sheet = null;
  // By message: what gives it up.
  #sending = new Map();
  // By item: what the server said of the last try.
  #details = new Map();

  constructor(host) {
    const { stage, report } = host;
    this.#host = host;
    this.#report = report;
    this.#bar = new Bar(stage, {
      focused: () => report(EVENT.fieldFocused),
      blurred: () => report(EVENT.fieldBlurred),
      changed: (text) => this.#change(text),
      measured: (height, lineHeight) => report(EVENT.textMeasured, height, lineHeight),
      keyboardMoved: (height) => report(EVENT.keyboardMoved, height),
      sendTapped: () => report(EVENT.sendTapped),
      reactionTapped: (reaction) => report(EVENT.reactionTapped, reaction),
    });
    stage.addEventListener('click', ({ target, detail: clicks }) => {
      const opener = target.closest?.('.page[aria-current] .comments button');
      if (opener) this.#openSheet(clicks ? null : opener);
    });
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  get commands() {
    return {
      showBar: (...fields) => this.#bar.show(barFrom(fields), this.#details.get(this.#host.current()?.item)),
      leaveField: () => this.#bar.leave(),
      showText: (item) => this.#showText(item),
      storeText: (item) => this.#drafts.store(item),
      dropText: (item) => this.#drop(item),
      sendMessage: (message, item) => this.#send(message, item),
      cancelMessage: (message) => this.#sending.get(message)?.abort(),
      sendReaction: (message, item, reaction) => this.#react(item, reaction),
      noticeUnsent: () => this.#host.notice('A message could not be sent: its clip is gone.'),
    };
  }

  /** The core hears of whoever writes. There are no accounts: a guest counts as signed in, and the server says
   *  with each clip whether guests may write. */
  start() {
    this.#report(EVENT.signedInChanged, 1);
    const clip = this.#host.current();
    if (clip) this.#showText(clip.item);
  }

  #showText(item) {
    const clip = this.#host.clip(item);
    if (!clip) return;
    this.#sheet?.close(clip.id);
    const restored = this.#drafts.restore(item, clip.id);
    this.#bar.setText(this.#drafts.text(item));
    if (restored) this.#report(EVENT.draftRestored, item, ...factsOf(restored));
    if (!clip.takesComments) this.#report(EVENT.commentsChanged, item, 0);
  }

  #change(text) {
    const clip = this.#host.current();
    if (!clip) return;
    this.#details.delete(clip.item);
    this.#drafts.change(clip.item, clip.id, text);
    this.#report(EVENT.textChanged, clip.item, ...factsOf(text));
  }

  #drop(item) {
    this.#drafts.drop(item);
    this.#details.delete(item);
    if (item === this.#host.current()?.item) this.#bar.setText('');
  }

  async #send(message, item) {
    const wasTried = this.#drafts.wasTried(item);
    const { clip, text, key } = this.#drafts.attempt(item, message);
    const abort = new AbortController();
    this.#sending.set(message, abort);
    this.#details.delete(item);
    try {
      const comment = await sendComment(clip, text, key, abort.signal);
      this.#report(EVENT.messageSent, message);
      this.#show(item, clip, comment, wasTried);
      if (item === this.#host.current()?.item) this.#bar.sayThatSent();
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(message, item, error);
    }
    this.#sending.delete(message);
  }

  #fail(message, item, { reason, code, detail }) {
    const clip = this.#host.clip(item);
    this.#details.set(item, detail);
    if (code === 'comments_off' && clip) {
      clip.takesComments = false;
      this.#report(EVENT.commentsChanged, item, 0);
    }
    this.#report(EVENT.messageFailed, message, reason);
  }

  /** The comment is seen at once, and so is the count; but what was tried before may be counted already, and
   *  only the server knows. */
  async #show(item, id, comment, wasTried) {
    const clip = this.#host.clip(item);
    const show = () => {
      if (clip) this.#host.recount(clip);
      this.#sheet?.add(id, comment);
    };
    if (clip && !wasTried) clip.counts.comments = (clip.counts.comments ?? 0) + 1;
    show();
    if (!clip || !wasTried) return;
    clip.counts.comments = (await loadCounts(id).catch(() => clip.counts)).comments;
    show();
  }

  #react(item, reaction) {
    const { name, sign } = REACTIONS[reaction];
    float(this.#host.stage, sign, this.#bar.reactionButton(reaction));
    // It may fail in silence.
    sendReaction(this.#host.clip(item).id, name).catch(() => {});
  }

  async #openSheet(opener) {
    const clip = this.#host.current();
    const { CommentSheet } = await import('./comments.js');
    if (clip !== this.#host.current()) return;
    this.#sheet ??= new CommentSheet(this.#host.stage, (open) => this.#report(EVENT.feedLocked, open ? 1 : 0));
    this.#sheet.open(clip, opener);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') {
      if (this.#bar.isWriting) this.#report(EVENT.fieldDismissed); else this.#sheet?.close();
    } else if (event.key.toLowerCase() === 'c' && !event.target.closest?.('textarea, [type=text]')) {
      event.preventDefault();
      this.#bar.focus();
    }
  }
}

/** The core knows a text by these only. */
const factsOf = (text) => [charactersIn(text), text.trim() === ''];
