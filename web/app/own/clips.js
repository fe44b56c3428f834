// One's own clips: what became of each upload, what is said about it, and deleting it so that it can be taken back. A page of
// the account screen, for guests too.

import { request, route } from '../api/api.js';
import { remember, loadClip } from '../clip-link/clip.js';
import { el } from '../account/form.js';
import { compact, listOf, pictureOf } from '../account/lists.js';
import { language, plural, problemText, t } from '../words/words.js';
import { formFor } from './edit.js';

const PATH = '/account/clips';
const SEEN_BY = {
  public: () => t('Everyone can see it'), unlisted: () => t('Anyone with the link can see it'), private: () => t('Only you can see it'),
};

const THEN = {
  public: () => t('Everyone can see it then.'), unlisted: () => t('Anyone with the link can see it then.'), private: () => t('Only you can see it then.'),
};

// From question to question after what is being made.
const [FIRST_WAIT_MS, LAST_WAIT_MS] = [2000, 10_000];

/** `on`: the account screen. */
export function fill(place, on) {
  const shown = new Map();
  const row = (clip) => {
    const own = new OwnClip(clip, on);
    shown.set(clip.upload_id, own);
    return own.root;
  };
  place.replaceChildren(listOf({
    path: PATH, name: 'own', label: t('Your clips'), row, signal: on.signal,
    none: t('You haven’t uploaded anything yet. Tap + above the feed.'),
  }));
  follow(shown, on.signal);
}

/** What is being made is asked after until it is there; it is among the newest. */
async function follow(shown, signal) {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 1.5, LAST_WAIT_MS)) {
    await new Promise((resolve) => { setTimeout(resolve, wait); });
    if (signal.aborted || document.hidden || ![...shown.values()].some((own) => own.isBeingMade)) continue;
    const page = await request(PATH).catch(() => null);
    for (const clip of page?.items ?? []) if (!signal.aborted) shown.get(clip.upload_id)?.update(clip);
  }
}

class OwnClip {
  root = el('li');
  #clip;
  #on;
  #form = null;

  constructor(clip, on) {
    this.#on = on;
    this.#show(clip);
  }

  get isBeingMade() { return this.#clip.state === 'processing'; }

  /** The server's newer word on what was being made; what is being written stays. */
  update(clip) {
    if (!this.isBeingMade || this.#form || this.root.ariaBusy === 'true') return;
    const focused = this.root.contains(document.activeElement) && document.activeElement.textContent;
    this.#show(clip);
    if (focused) this.#focus(focused);
  }

  get #name() { return this.#clip.caption || t('Clip without a caption'); }

  #show(clip) {
    this.#clip = clip;
    // NB: an answer may come when its owner has left.
    if (clip.clip_id && !this.#on.signal.aborted) remember(clip.clip_id, clip.upload_id);
    const act = (words, what) => el('button', { type: 'button',
      'aria-label': t('{act}: {clip}', { act: words, clip: this.#name }), click: what }, words);
    const isThere = clip.state === 'published';
    const texts = [el('strong', { dir: 'auto' }, this.#name), el('span', {}, stateOf(clip))];
    const picture = clip.picture ? pictureOf(clip.picture) : [];
    this.root.dataset.state = clip.state;
    this.root.replaceChildren(
      isThere ? el('button', { type: 'button', class: 'shown', 'aria-label': t('Watch: {clip}', { clip: this.#name }), click: () => this.#watch() },
        ...picture) : el('span', { class: 'shown', 'aria-hidden': 'true' }, ...picture),
      el('div', { class: 'told' }, ...texts, el('p', { class: 'acts' }, ...(clip.state === 'removed'
        ? [act(t('Undo'), () => this.#change('PUT'))]
        : [isThere ? act(t('How it does'), () => this.#on.goTo(`#insights/${encodeURIComponent(clip.clip_id)}`)) : null,
          clip.state === 'refused' ? null : act(t('Edit'), () => this.#edit()), act(t('Delete'), () => this.#change('DELETE'))]))));
  }

  async #watch() {
    try {
      this.#on.open(await loadClip(this.#clip.clip_id));
    } catch {
      this.#on.say(t('This clip could not be loaded. Please try again.'));
    }
  }

  #edit() {
    if (this.#form) return;
    const close = () => {
      this.#form?.remove();
      this.#form = null;
    };
    this.#form = formFor(this.#clip, {
      cancel: () => {
        close();
        this.#focus(t('Edit'));
      },
      send: async (patch) => {
        const { details } = await request(route`/uploads/${this.#clip.upload_id}`, {
          method: 'PATCH', body: patch, type: 'application/merge-patch+json' });
        close();
        this.#show({ ...this.#clip, ...patch, visibility: details.visibility ?? this.#clip.visibility });
        this.#on.say(t('Saved.'));
        this.#focus(t('Edit'));
      },
    });
    this.root.append(this.#form);
    this.#form.querySelector('textarea').focus();
  }

  /** Deletes it, or takes that back. What is on the way is not asked for again. */
  async #change(method) {
    if (this.root.ariaBusy === 'true') return;
    this.root.ariaBusy = 'true';
    try {
      this.#form?.remove();
      this.#form = null;
      this.#show(await request(route`/uploads/${this.#clip.upload_id}/clip`, { method, keepalive: true }));
      const isGone = method === 'DELETE';
      if (isGone) this.#on.removed(({ id }) => id === this.#clip.clip_id);
      this.#on.say(isGone ? t('Deleted. You can undo this for a day.') : t('Your clip is back.'));
      this.#focus(isGone ? t('Undo') : t('Delete'));
    } catch (error) {
      this.#on.say(error.detail ?? t('This did not work. Please try again.'));
    }
    this.root.ariaBusy = null;
  }

  #focus(words) {
    [...this.root.querySelectorAll('.acts button')].find(({ textContent }) => textContent === words)?.focus();
  }
}

const momentOf = (text) => new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));
const percentOf = (permille) => new Intl.NumberFormat(language(), { style: 'percent' }).format(Math.floor(permille / 10) / 100);

const viewsOf = (count) => plural(count, '{shown} view', '{shown} views', { shown: compact(count) });
const likesOf = (count) => plural(count, '{shown} like', '{shown} likes', { shown: compact(count) });

function stateOf(clip) {
  switch (clip.state) {
    case 'processing': return `${t('Being made, {done}.', { done: percentOf(clip.permille ?? 0) })} ${THEN[clip.visibility]()}`;
    case 'refused': return `${t('Not published.')} ${clip.problem ? problemText(clip.problem) : ''}`;
    case 'removed': return t('Deleted. It can come back until {time}.', { time: momentOf(clip.removed_until) });
    default: return t('{who}. {views}, {likes}.', {
      who: SEEN_BY[clip.visibility](), views: viewsOf(clip.counts?.views ?? 0), likes: likesOf(clip.counts?.likes ?? 0),
    });
  }
}
