// What a person does with a clip and its author: likes, bookmarks, follows, shares. Each shows at once and is told to the
// server behind it; what fails is taken back and said. Comes after the first clip moves, or with the first of them.

import { loadActivity } from '../activity/activity.js';
import { randomKey, request, route } from '../api/api.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { REASON } from '../core/core.js';
import { deliver } from '../outbox/outbox.js';
import { loadStyles, once } from '../screens/screens.js';
import { t } from '../words/words.js';
import { isCalm, showHeart } from './heart.js';
import { watchWaiting } from './waiting.js';

// By what a button says it does: where it is told, what the server calls it, and what is counted.
const KINDS = {
  like: { path: 'clips', flag: 'liked', count: 'likes', failed: () => t('The like was not saved.'), says: (on) => (on ? t('Liked') : t('The like is taken back')) },
  bookmark: { path: 'clips', flag: 'bookmarked', failed: () => t('The bookmark was not saved.'),
    says: (on) => (on ? t('In your bookmarks') : t('Out of your bookmarks')) },
  follow: { path: 'authors', flag: 'following', failed: () => t('Following was not saved.'),
    says: (on, name) => (on ? t('Following {name}', { name }) : t('Not following {name}', { name })) },
};
// Opens and closes a caption that is long.
const MORE = '[data-action=caption]';
const KEYS = { l: 'like', b: 'bookmark', f: 'follow' };

/** @param {App} app */
export const attach = (app) => once('social', async () => new Social(app, await loadActivity()));

class Social {
  #app;
  #activity;
  // By name of a toggle: the clip that it was turned on.
  #items = new Map();
  // Where those who cannot see the button hear what has become of it.
  #said = Object.assign(document.createElement('p'), { className: 'visually-hidden' });
  // Clips before this one were told to somebody else, but for those that were asked for again.
  #since = 0;
  #renewed = new Set();
  // What waits from an earlier visit.
  #recall;

  constructor(app, activity) {
    this.#app = app;
    this.#activity = activity;
    const { stage } = app;
    this.#said.setAttribute('role', 'status');
    stage.append(this.#said);
    loadStyles('/app/social/social.css').catch(console.warn);
    app.pages.onMoved((item) => this.#paint(item));
    stage.addEventListener('current', () => {
      this.#renew(app.current());
      this.#offerCaption(app.current());
    });
    onChanged((isOther, isOver, hasLeft) => {
      this.#paintPerson();
      if (isOther) this.#changeViewer(hasLeft);
      if (isOver) app.notice(t('Your session has ended. Until you sign in again, you are here as a guest.'));
    });
    document.addEventListener('keydown', (event) => this.#key(event));
    import('../watching/watching.js').then(({ watch }) => watch(app)).catch(console.warn);
    for (const load of [() => import('../tags/tags.js'), () => import('../profile-link/names.js'), () => import('../ai-label/label.js')]) {
      load().then(({ watch }) => watch(app)).catch(console.warn);
    }
    import('../menu/dots.js').then(({ attach: offer }) => offer(app)).catch(console.warn);
    import('../clip-link/address.js').then(({ follow }) => follow(app)).catch(console.warn);
    import('../live/live.js').then(({ listen }) => listen(app.notice)).catch(console.warn);
    this.#recall = watchWaiting(app, activity, {
      take: (name, answer) => this.#take(name, answer), refused: (name, on) => this.#uncount(name, !on), paint: () => this.#paintAll(),
    });
    this.#recall();
    this.#paintPerson();
    this.#paintAll();
    this.#renew(app.current());
    this.#offerCaption(app.current());
  }

  /** What a button asks for; `isSeen`: who asks sees the button and what becomes of it. */
  act(kind, isSeen = true) {
    const clip = this.#app.current();
    if (!clip) return;
    if (kind === 'share') this.#share(clip);
    else if (kind === 'caption') this.#openCaption(clip);
    else if (kind !== 'follow' || isFollowed(clip)) this.#toggle(kind, clip, !this.holds(kind, clip), isSeen);
  }

  #toggle(kind, clip, on, isSeen) {
    const { count, says } = KINDS[kind];
    const name = nameOf(kind, clip);
    this.#items.set(name, clip.item);
    if (count) add(clip.counts, count, on ? 1 : -1);
    this.#turn(name, on, this.holds(kind, clip), {
      confirm: (isOn, answer) => this.#take(name, answer),
      revert: (isOn, words) => this.#rollBack(name, isOn, words),
    });
    if (kind === 'like' && on) this.#pop(clip);
    if (!isSeen) this.#say(says(on, clip.author.name));
    else if (kind === 'bookmark') this.#app.notice(on ? t('Added to your bookmarks.') : t('Removed from your bookmarks.'));
  }

  /** Whether it is so for this person, as far as they turned it. */
  holds(kind, clip) {
    return this.#activity.isOn(nameOf(kind, clip)) ?? (!this.#isForeign(clip) && Boolean(clip.viewer[KINDS[kind].flag]));
  }

  /** Whether somebody is followed, as far as the person turned it; else as the server `told`. */
  follows(author, told) {
    return this.#activity.isOn(nameOf('follow', { author })) ?? told;
  }

  /** Follows somebody, or does so no more, wherever that is asked; clips of theirs show it too. `confirm(on, answer)` hears what came
   *  of it, `revert(on, words)` what holds instead, and what to say. */
  follow(author, on, told, hear) {
    this.#turn(nameOf('follow', { author }), on, this.follows(author, told), hear);
  }

  /** The server has ended it by itself. */
  forgetFollow(author) {
    this.#activity.forget(nameOf('follow', { author }));
  }

  #turn(name, on, known, { confirm, revert }) {
    this.#activity.toggle(name, on, known, {
      send: (isOn) => send(name, isOn),
      // What waits for a network nobody has counted.
      confirm: (isOn, answer) => { if (!answer.isKept) confirm(isOn, answer); },
      revert: (isOn, error) => {
        revert(isOn, `${KINDS[kindIn(name)].failed()} ${error.detail ?? ''}`);
        this.#paintAll();
      },
    });
    this.#paintAll();
  }

  /** A double tap at this place of the window, in CSS px. */
  likeAt(x, y) {
    const clip = this.#app.current();
    if (!clip) return;
    showHeart(this.#app.stage, x, y);
    // Never the other way: whoever taps twice likes it.
    if (!this.holds('like', clip)) this.#toggle('like', clip, true, false);
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (event.target.closest?.('textarea, [data-no-gestures]')) return;
    const kind = KEYS[event.key.toLowerCase()];
    if (!kind) return;
    event.preventDefault();
    this.act(kind, false);
  }

  // MARK: what the server says

  #take(name, answer) {
    const { count } = KINDS[kindIn(name)] ?? {};
    const clip = this.#app.feed.clip(this.#items.get(name));
    if (!clip || !count) return;
    clip.counts[count] = answer[count];
    this.#app.pages.recount(clip);
  }

  #rollBack(name, on, words) {
    this.#uncount(name, on);
    this.#app.notice(words);
  }

  #uncount(name, on) {
    const { count } = KINDS[kindIn(name)] ?? {};
    const clip = this.#app.feed.clip(this.#items.get(name));
    if (clip && count) add(clip.counts, count, on ? 1 : -1);
  }

  async #share(clip) {
    const { share } = await import('../clip-link/clip.js');
    if (!await share(clip, this.#app.notice)) return;
    const count = (by) => {
      add(clip.counts, 'shares', by);
      this.#app.pages.recount(clip);
    };
    count(1);
    try {
      const answer = await request(route`/clips/${clip.id}/shares`, { method: 'POST', keepalive: true, key: randomKey() });
      count(answer.shares - clip.counts.shares);
    } catch {
      // The link was handed on all the same.
      count(-1);
    }
  }

  /** Somebody signed in or out: what is shown is what somebody else had to do with the clips. */
  #changeViewer(hasLeft) {
    this.#activity.changeViewer(hasLeft);
    this.#renewed.clear();
    this.#since = this.#app.feed.size;
    this.#recall();
    this.#paintAll();
    this.#renew(this.#app.current());
  }

  /** Told to somebody else, or to this person in an earlier visit. */
  #isForeign({ item, isLeft }) {
    return (isLeft || item < this.#since) && !this.#renewed.has(item);
  }

  async #renew(clip) {
    if (!clip || !this.#isForeign(clip)) return;
    const { item } = clip;
    this.#renewed.add(item);
    clip.viewer = {};
    try {
      const { loadClip } = await import('../clip-link/clip.js');
      const { viewer = {}, counts } = await loadClip(clip.id);
      // NB: what was turned meanwhile is newer than these counts.
      if (this.#activity.isOn(nameOf('like', clip)) === undefined) Object.assign(clip.counts, counts);
      clip.viewer = viewer;
      this.#paintAll();
    } catch (error) {
      this.#renewed.delete(item);
      if (error.reason === REASON.gone) this.#app.feed.drop(item);
      console.warn('clip', clip.id, error.message);
    }
  }

  // MARK: what is seen

  #paintAll() {
    for (let item = 0; item < this.#app.feed.size; item += 1) this.#paint(item);
  }

  #paint(item) {
    // A clip without a page is not there to be asked for: it may rest as text.
    if (this.#app.pages.placeOf(item) === undefined) return;
    const clip = this.#app.feed.clip(item);
    const element = clip && this.#elementOf(clip);
    if (!element) return;
    for (const kind of Object.keys(KINDS)) {
      element.querySelector(`[data-action=${kind}]`).setAttribute('aria-pressed', String(this.holds(kind, clip)));
    }
    const follow = element.querySelector('[data-action=follow]');
    follow.hidden = !isFollowed(clip);
    follow.textContent = this.holds('follow', clip) ? t('Following::state') : t('Follow');
    follow.setAttribute('aria-label', t('Follow {name}', { name: clip.author.name }));
    this.#app.pages.recount(clip);
  }

  /** The button that leads to the account says whose it is. */
  #paintPerson() {
    const button = document.getElementById('person');
    const account = signedIn();
    button.toggleAttribute('data-known', Boolean(account));
    button.setAttribute('aria-label', account ? t('Account of {name}', { name: account.name }) : t('Account'));
    button.querySelector('b').textContent = account ? initialOf(account.name) : '';
  }

  /** A button behind a caption of which not all is shown. */
  #offerCaption(clip) {
    const caption = clip && this.#elementOf(clip)?.querySelector('.caption');
    if (!caption || caption.parentNode.querySelector(MORE) || caption.scrollHeight <= caption.clientHeight + 1) return;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: t('more::caption') });
    button.dataset.action = 'caption';
    button.setAttribute('aria-expanded', 'false');
    caption.after(button);
  }

  #openCaption(clip) {
    const caption = this.#elementOf(clip).querySelector('.caption');
    const isOpen = caption.toggleAttribute('data-open');
    caption.toggleAttribute('data-no-gestures', isOpen);
    const button = caption.parentNode.querySelector(MORE);
    button.textContent = isOpen ? t('less::caption') : t('more::caption');
    button.setAttribute('aria-expanded', String(isOpen));
  }

  #elementOf({ id }) {
    return this.#app.stage.querySelector(`.page[data-clip="${CSS.escape(id)}"]`);
  }

  /** The heart in the button, for a moment. */
  #pop(clip) {
    if (isCalm()) return;
    this.#elementOf(clip)?.querySelector('[data-action=like] svg')
      .animate({ scale: [1, 1.35, 0.9, 1] }, { duration: 320, easing: 'ease-out' });
  }

  #say(text) {
    this.#said.textContent = '';
    // The same words twice are said twice.
    requestAnimationFrame(() => { this.#said.textContent = text; });
  }
}

const add = (counts, name, by) => { counts[name] = Math.max(0, (counts[name] ?? 0) + by); };
const kindIn = (name) => name.slice(0, name.indexOf(' '));
const initialOf = (name) => (Array.from(name)[0] ?? '').toUpperCase();

/** Nobody follows themselves; nor the author that all guests share, of whom whoever asks may be one. */
const isFollowed = ({ author: { id, handle } }) => Boolean(id) && id !== signedIn()?.id && handle !== 'guest';

/** One for each thing that can be on or off. */
const nameOf = (kind, clip) => `${kind} ${kind === 'follow' ? clip.author.id : clip.id}`;

function send(name, on) {
  const kind = kindIn(name);
  return deliver({
    place: name, path: route`/${KINDS[kind].path}/${name.slice(kind.length + 1)}/${kind}`, method: on ? 'PUT' : 'DELETE', isState: true,
    failed: KINDS[kind].failed(),
  });
}
