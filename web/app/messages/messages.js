// The host of the message bar (docs/design/studio.md, "What the host of a composer owes"): keeps one text per clip, sends
// messages to the clip's creator and reactions to the clip. Comes after the first clip moves.
// It refuses to know when somebody may write and what becomes of the feed meanwhile.

import { randomKey } from '../api/api.js';
import { COMMANDS, EVENT } from '../core/core.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { noteWritten } from '../inbox/known.js';
import { KEPT, holdBook, onSent, waits } from '../outbox/outbox.js';
import { loadStyles } from '../screens/screens.js';
import { loadWords, t } from '../words/words.js';
import { BAR_COMMANDS, BAR_EVENT, Bar, barFrom } from './bar.js';
import { Drafts, charactersIn, storage } from './drafts.js';
import { REACTIONS, float } from './reactions.js';
import { sendMessage, sendReaction } from './server.js';

// The author that all guests share: nobody reads what is written to it.
const GUESTS = 'guest';

// Until now they were passed over: nobody would have carried them out.
for (const [kind, row] of BAR_COMMANDS) COMMANDS.set(kind, row);

/** @param {App} app */
export async function attachMessages(app) {
  // Without its looks the bar still works.
  await loadStyles('/app/messages/messages.css').catch(console.warn);
  return new Messages(app);
}

class Messages {
  #app;
  #report;
  #drafts = new Drafts(storage(), randomKey());
  #bar;
  #sheet = null;
  // By message: what gives it up.
  #sending = new Map();
  // By item: what the server said of the last try.
  #details = new Map();

  constructor(app) {
    const { stage, report } = app;
    this.#app = app;
    this.#report = report;
    this.#bar = new Bar(stage, {
      focused: () => report(BAR_EVENT.fieldFocused),
      blurred: () => report(BAR_EVENT.fieldBlurred),
      changed: (text) => this.#change(text),
      measured: (height, lineHeight) => report(BAR_EVENT.textMeasured, height, lineHeight),
      keyboardMoved: (height) => report(BAR_EVENT.keyboardMoved, height),
      sendTapped: () => report(BAR_EVENT.sendTapped),
      reactionTapped: (reaction) => report(BAR_EVENT.reactionTapped, reaction),
    });
    stage.addEventListener('click', ({ target, detail: clicks }) => {
      const opener = target.closest?.('.page[aria-current] .comments button');
      if (opener) this.#openComments(clicks ? null : opener);
    });
    stage.addEventListener('comment', ({ detail }) => this.#openComments(null, false, detail));
    document.addEventListener('keydown', (event) => this.#key(event));
    onChanged((isOther) => {
      if (isOther) this.#changeWriter();
      this.#tellReceiver();
    });
    holdBook('clipfeed.messages', (clip, part) => this.#takeBack(clip, part));
    onSent(({ path }) => { if (!signedIn() && path.startsWith('/conversations/')) this.#awaitAnswers(); });
    import('../inbox/entry.js').then(({ attach }) => attach(this)).catch(console.warn);
  }

  get commands() {
    return {
      showBar: (bar) => this.#bar.show(barFrom(bar), this.#details.get(this.#app.current()?.item)),
      leaveField: () => this.#bar.leave(),
      showText: ({ item }) => this.#showText(item),
      storeText: ({ item }) => this.#drafts.store(item),
      // A clip that leaves the feed because another tab is shown comes back with its text.
      dropText: ({ item }) => (this.#app.feed.isChanging ? this.#drafts.rest(item) : this.#drop(item)),
      sendMessage: ({ message, item }) => this.#send(message, item),
      cancelMessage: ({ message }) => this.#sending.get(message)?.abort(),
      sendReaction: ({ item, reaction }) => this.#react(item, reaction),
      askSignIn: () => document.getElementById('person').click(),
      noticeUnsent: ({ item }) => (this.#app.feed.has(item) && this.#drafts.giveBack(item) ? this.#noticeReturned(item)
        : this.#app.notice(t('Your message could not be sent: its clip is gone.'))),
      returnText: ({ message, item }) => this.#giveBack(message, item),
      noticeReturned: ({ item }) => this.#noticeReturned(item),
    };
  }

  #noticeReturned(item) {
    const name = nameOf(this.#app.feed.clip(item));
    this.#app.notice(name ? t('Your message to {name} was not sent. It is waiting at their clip.', { name })
      : t('Your message was not sent. It is waiting at its clip.'));
  }

  start() {
    // NB: what the core said of the bar before it was there nobody has heard, so something changes now.
    this.#report(BAR_EVENT.signedInChanged, 1);
    const clip = this.#app.current();
    if (!clip) return;
    this.#showText(clip.item);
    // Whoever came by the link of a comment reads it under its clip.
    const { linked } = this.#app;
    if (linked?.clip === clip.id) this.#openComments(null, false, linked.comment);
  }

  /** Somebody reacts to the clip on the screen while its creator watches; false if it is not there. */
  reacted(id, reaction) {
    const clip = this.#app.current();
    const index = REACTIONS.findIndex(({ name }) => name === reaction);
    if (clip?.id !== id || index < 0 || document.hidden) return false;
    this.#count(clip, reaction, 1);
    const { left, right, bottom } = this.#app.stage.getBoundingClientRect();
    const place = this.#bar.reactionButton(index).getBoundingClientRect();
    float(this.#app.stage, reaction, place.width ? place : { left: (left + right) / 2, top: bottom - 90, width: 0 });
    return true;
  }

  #showText(item) {
    const clip = this.#app.feed.clip(item);
    if (!clip) return;
    this.#sheet?.follow(clip);
    const restored = this.#drafts.restore(item, clip.id);
    this.#bar.setText(this.#drafts.text(item));
    this.#bar.setCounts(clip.counts.reactions);
    if (restored) this.#report(BAR_EVENT.draftRestored, item, ...factsOf(restored));
    this.#tellReceiver();
  }

  /** Who can be written to depends on who asks. A guest writes where guests may comment. */
  #tellReceiver() {
    const clip = this.#app.current();
    if (!clip) return;
    const isOwn = Boolean(clip.author.id) && clip.author.id === signedIn()?.id;
    const isReachable = Boolean(clip.author.id) && clip.author.handle !== GUESTS && !clip.isClosed;
    const closed = isOwn ? t('This is your clip.') : t('Messages are off for this clip.');
    this.#bar.setReceiver(nameOf(clip), closed);
    this.#report(BAR_EVENT.signedInChanged, signedIn() || clip.takesComments ? 1 : 0);
    this.#report(BAR_EVENT.messagesChanged, clip.item, isReachable && !isOwn ? 1 : 0);
  }

  /** What was written before is no longer there, for the core neither. */
  #changeWriter() {
    this.#details.clear();
    for (const item of this.#drafts.turn()) this.#report(BAR_EVENT.textChanged, item, ...factsOf(this.#drafts.text(item)));
    const clip = this.#app.current();
    if (clip) this.#showText(clip.item);
  }

  #change(text) {
    const clip = this.#app.current();
    if (!clip) return;
    this.#details.delete(clip.item);
    this.#drafts.change(clip.item, clip.id, text);
    this.#report(BAR_EVENT.textChanged, clip.item, ...factsOf(text));
  }

  #drop(item) {
    this.#drafts.drop(item);
    this.#details.delete(item);
    this.#redraw(item);
  }

  #redraw(item) {
    if (item === this.#app.current()?.item) this.#bar.setText(this.#drafts.text(item));
  }

  async #send(message, item) {
    const { parts } = this.#drafts.send(item, message);
    const { id, author } = this.#app.feed.clip(item);
    const abort = new AbortController();
    this.#sending.set(message, abort);
    this.#details.delete(item);
    this.#redraw(item);
    try {
      const answers = [];
      for (const { text, key } of parts) answers.push(await sendMessage(author.id, text, id, key, abort.signal));
      const isKept = answers.includes(KEPT);
      this.#drafts.settle(item, message);
      if (!signedIn() && !isKept) this.#awaitAnswers();
      this.#report(BAR_EVENT.messageSent, message);
      if (item === this.#app.current()?.item) this.#bar.sayThatSent(isKept ? waits() : t('Sent'));
    } catch (error) {
      // NB: an error that nobody expects is one of the network's too, or the text would stay on its way.
      if (!abort.signal.aborted) this.#fail(message, item, error);
    }
    this.#sending.delete(message);
  }

  /** A guest may be answered from now on. */
  #awaitAnswers() {
    noteWritten();
    import('../live/live.js').then(({ listenAgain }) => listenAgain()).catch(console.warn);
  }

  #fail(message, item, { reason = 1, code, detail }) {
    this.#details.set(item, detail);
    const clip = this.#app.feed.clip(item);
    this.#report(BAR_EVENT.messageFailed, message, reason);
    if (!clip || !['messages_off', 'author_not_found', 'author_blocked'].includes(code)) return;
    clip.isClosed = true;
    this.#app.notice(detail);
    this.#tellReceiver();
  }

  #giveBack(message, item) {
    // It stays with whoever wrote it, if that is somebody else.
    if (!this.#drafts.giveBack(item, message)) this.#report(BAR_EVENT.textChanged, item, ...factsOf(this.#drafts.text(item)));
    this.#redraw(item);
  }

  /** A text that waited for the network and was refused. */
  #takeBack(clip, part) {
    const item = this.#drafts.takeBack(clip, part);
    const current = this.#app.current();
    if (typeof item === 'number') {
      this.#redraw(item);
      const facts = factsOf(this.#drafts.text(item));
      // The first where the core has no text of the clip, the second where it has one.
      for (const event of [BAR_EVENT.draftRestored, BAR_EVENT.textChanged]) this.#report(event, item, ...facts);
    } else if (item === undefined && current?.id === clip) this.#showText(current.item);
    return item;
  }

  async #react(item, reaction) {
    const clip = this.#app.feed.clip(item);
    const { name } = REACTIONS[reaction];
    float(this.#app.stage, name, this.#bar.reactionButton(reaction).getBoundingClientRect());
    this.#count(clip, name, 1);
    try {
      const { count } = await sendReaction(clip.id, name, randomKey());
      this.#count(clip, name, count - (clip.counts.reactions?.[name] ?? 0));
    } catch (error) {
      this.#count(clip, name, -1);
      this.#app.notice(`${t('Your reaction was not sent.')} ${error.detail ?? ''}`);
    }
  }

  #count(clip, name, by) {
    clip.counts.reactions = { ...clip.counts.reactions };
    clip.counts.reactions[name] = Math.max(0, (clip.counts.reactions[name] ?? 0) + by);
    if (clip.item === this.#app.current()?.item) this.#bar.setCounts(clip.counts.reactions);
  }

  async #openComments(opener, isToWrite = false, linked = null) {
    const clip = this.#app.current();
    if (!clip) return;
    await loadWords('screens');
    const { CommentSheet } = await import('../comments/sheet.js');
    if (clip !== this.#app.current()) return;
    this.#sheet ??= new CommentSheet(this.#app, (open) => this.#report(EVENT.feedLocked, open ? 1 : 0));
    await this.#sheet.open(clip, opener, isToWrite, linked);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') {
      if (this.#bar.isWriting) this.#report(BAR_EVENT.fieldDismissed); else this.#sheet?.close();
      return;
    }
    if (event.target.closest?.('textarea, [type=text], [aria-modal]')) return;
    const act = { c: () => this.#openComments(document.activeElement, true), d: () => this.#bar.focus() }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }
}

const nameOf = (clip) => clip?.author.name || clip?.author.handle || '';

/** The core knows a text by these only. */
const factsOf = (text) => [charactersIn(text), text.trim() === ''];
