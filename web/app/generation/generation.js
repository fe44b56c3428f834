// One clip from words, from the wish to its end: a page of the account screen. How far it is, its preview in the feed's own player, the next
// version, publishing and discarding. It refuses to know how far something is: the server says that, and nothing is added.

import { el } from '../account/form.js';
import { signedIn } from '../auth/auth.js';
import { plural, t } from '../words/words.js';
import { arrived } from './arrivals.js';
import { again, addressOf, drafts, end, failure, load, loadOffer, refine, signInFirst, tap, turning } from './asking.js';
import { follow, hasMoved, newer } from './course.js';
import { lengthIn, termsOf } from './offer.js';
import { picture, watch } from './preview.js';
import { promptField } from './prompt.js';
import { asksForOtherWords, courseOf, factsOf, isDraft, isUnderWay, lengthOf, priceOf, PROMPT_LENGTH, refusalOf, spokenOf, stateOf } from './words.js';

const kindOf = (generation) => (isUnderWay(generation) ? 'course' : generation.state !== 'ready' ? 'ended' : isDraft(generation) ? 'draft' : 'published');

/** `token`: its id, as it stands in an address. */
export async function fill(place, on, token) {
  place.className = 'from-words';
  if (!signedIn()) {
    place.replaceChildren(signInFirst(on));
    return;
  }
  let id = '';
  try { id = decodeURIComponent(token); } catch { /* it is none, and the server says so */ }
  place.replaceChildren(turning());
  try {
    const generation = await load(id, on.signal);
    if (!on.signal.aborted) new Made(place, on, generation).begin();
  } catch (error) {
    if (on.signal.aborted || error.isOver) return;
    if (error.detail === undefined) console.error(error);
    place.replaceChildren(failure(refusalOf(error), error.status === 404 ? null : () => fill(place, on, token)));
  }
}

class Made {
  #on;
  #now;
  #family = [];
  #versions = el('div');
  #line = el('p', { class: 'line' });
  #bar = el('progress', { max: '1000', 'aria-label': t('How much is made') });
  #spoken = el('p', { class: 'visually-hidden', role: 'status' });
  #trouble = el('p', { class: 'hint', hidden: true }, t('The server does not answer at the moment. It goes on there all the same.'));
  #body = el('div', { class: 'body' });
  #follow;

  constructor(place, on, generation) {
    this.#on = on;
    this.#follow = follow(() => this.#look(), { signal: on.signal, trouble: (error) => this.#fail(error) });
    place.replaceChildren(this.#versions, el('p', { class: 'prompt', dir: 'auto' }, generation.prompt),
      el('p', { class: 'hint' }, factsOf(generation)), this.#trouble, this.#spoken, this.#body);
    this.#show(generation);
  }

  begin() {
    if (isUnderWay(this.#now)) this.#follow();
    this.#showVersions();
  }

  // MARK: how far it is

  async #look() {
    const known = this.#now;
    const answer = await load(known.id, this.#on.signal);
    if (this.#on.signal.aborted) return null;
    this.#trouble.hidden = true;
    this.#show(answer);
    if (kindOf(known) !== kindOf(this.#now)) this.#showVersions();
    return isUnderWay(this.#now) ? hasMoved(known, this.#now) : null;
  }

  #fail(error) {
    if (error.isOver) return;
    if (error.status === 404) this.#on.back(refusalOf({ code: 'generation_not_found' })); else this.#trouble.hidden = false;
  }

  #show(told) {
    const known = this.#now;
    const now = newer(known, told);
    this.#now = now;
    const kind = kindOf(now);
    if (!known || kindOf(known) !== kind || (kind === 'ended' && known.state !== now.state)) this.#enter(kind, now, Boolean(known));
    if (kind === 'course') {
      this.#line.textContent = courseOf(now);
      // A bar that says nothing yet moves by itself.
      if (now.state === 'reserved' && !now.permille) this.#bar.removeAttribute('value'); else this.#bar.value = now.permille;
    } else {
      arrived(now.id);
    }
    const words = spokenOf(known, now);
    if (known && words) this.#spoken.textContent = words;
  }

  #enter(kind, now, isLater) {
    const hadFocus = this.#body.contains(document.activeElement);
    const title = { course: t('Being made'), draft: t('Your clip is made'), published: t('Published'), ended: t('Not made') }[kind];
    const heading = el('h3', { tabindex: '-1' }, now.state === 'cancelled' ? t('Cancelled') : title);
    this.#body.dataset.kind = kind;
    const parts = { course: () => this.#course(now), draft: () => this.#draft(now), published: () => this.#published(now), ended: () => this.#ended(now) };
    this.#body.replaceChildren(heading, ...parts[kind]());
    // NB: what had the focus is gone.
    if (hadFocus && isLater) heading.focus();
  }

  #course(now) {
    return [this.#line, this.#bar,
      el('p', { class: 'hint' }, t('You can leave this page: it goes on, and you are told when it is ready. Cancelled, it costs nothing.')),
      el('div', { class: 'acts' },
        el('button', { type: 'button', class: 'plain', click: () => this.#on.goTo(now.from_clip_id ? `#similar/${encodeURIComponent(now.from_clip_id)}` : '#trending') }, t('Watch clips meanwhile')),
        tap(t('Cancel'), 'plain', () => this.#cancel(), this.#failed))];
  }

  #draft(now) {
    const place = el('div', { class: 'publishing' }, turning());
    import('./publishing.js').then(({ publishForm }) => publishForm(now, this.#on.signal, (told) => {
      this.#show(told);
      this.#showVersions();
      this.#on.say(told.is_published ? t('Your clip is published.') : t('Saved.'));
    })).then((form) => place.replaceChildren(form), (error) => {
      console.error(error);
      place.replaceChildren(el('p', { class: 'error', role: 'alert' }, t('What publishes it could not be loaded. Please load the page again.')));
    });
    return [picture(now, () => this.#watch()),
      el('p', { class: 'hint' }, t('It is a draft: only you see it, and it is kept until you publish or discard it. Published, it says that it is made with AI.')),
      place, this.#refining(now), el('div', { class: 'acts' },
        el('button', { type: 'button', class: 'plain', click: () => this.#on.next('#account/generations', t('Kept among your drafts.')) }, t('Keep for later')),
        this.#discarding(now, t('Discard'), t('Discard this version? Its clip can come back for a day, under “Your clips”.'), t('Yes, discard it')))];
  }

  #published(now) {
    return [picture(now, () => this.#watch()), el('p', { class: 'hint' }, t('It says that it is made with AI. What is said about it can be changed under “Your clips”.')),
      el('div', { class: 'acts' }, el('button', { type: 'button', class: 'plain', click: () => this.#on.go('clips') }, t('Your clips')),
        this.#discarding(now, t('Take it off the list'), t('Take it off your list? Its clip stays published.'), t('Yes, take it off'))), this.#refining(now)];
  }

  #ended(now) {
    const same = asksForOtherWords(now) ? [] : [tap(t('Again for {price}', { price: priceOf(now.credits) }), 'main', async () => {
      const next = await again(now, this.#on.app.notice);
      this.#on.next(addressOf(next.id), t('The same prompt is on its way again.'));
    }, this.#failed)];
    return [el('p', {}, stateOf(now)), el('div', { class: 'acts' }, ...same, this.#discarding(now, t('Take it off the list'), t('Take it off your list?'), t('Yes, take it off'))),
      this.#refining(now)];
  }

  // MARK: what a person does

  #failed = (error) => {
    if (error.isOver) return;
    if (error.detail === undefined) console.error(error);
    this.#on.say(refusalOf(error));
  };

  async #cancel() {
    // NB: to one that is ready the same request means to discard it, so it is looked at first.
    this.#show(await load(this.#now.id, this.#on.signal));
    if (!isUnderWay(this.#now)) {
      this.#on.say(t('It was over already.'));
      return;
    }
    const { id, credits } = this.#now;
    await end(id);
    arrived(id);
    this.#show(await load(id, this.#on.signal));
    this.#on.say(plural(credits, 'Cancelled. {count} credit is back.', 'Cancelled. {count} credits are back.'));
  }

  /** Asks before it goes. */
  #discarding(now, words, question, yes) {
    const place = el('div', { class: 'discarding' });
    const still = () => place.replaceChildren(open);
    const open = el('button', { type: 'button', class: 'plain', click: () => {
      const keep = el('button', { type: 'button', class: 'plain', click: () => {
        still();
        open.focus();
      } }, t('Keep it'));
      place.replaceChildren(el('div', { role: 'group', 'aria-label': question }, el('p', {}, question),
        el('div', { class: 'acts' }, tap(yes, 'main grave', () => this.#discard(now), this.#failed), keep)));
      keep.focus();
    } }, words);
    still();
    return place;
  }

  async #discard(now) {
    await end(now.id).catch((error) => { if (error.status !== 404) throw error; });
    for (const kind of ['refine', 'publish']) drafts().forget(`${kind} ${now.id}`);
    if (isDraft(now)) this.#on.removed(({ id }) => id === now.clip_id);
    this.#on.back(isDraft(now) ? t('Discarded.') : t('It is off the list.'));
  }

  #refining(now) {
    const name = `refine ${now.id}`;
    const prompt = promptField({ label: now.state === 'ready' ? t('Another version') : t('Other words'), value: drafts().fields(name).prompt ?? now.prompt,
      hint: now.state === 'ready' ? t('Change what is to be otherwise. This version stays.') : '' });
    const terms = el('p', { class: 'terms' });
    const submit = el('button', { type: 'submit', class: 'plain' }, t('Make this version'));
    let isBusy = false;
    const form = el('form', { novalidate: true, 'aria-label': t('Another version'), class: 'refining', input: () => drafts().write(name, { prompt: prompt.value }),
      submit: async (event) => {
        event.preventDefault();
        if (isBusy) return;
        const length = lengthOf(prompt.value);
        if (!length || length > PROMPT_LENGTH) {
          prompt.fail(refusalOf({ code: length ? 'prompt_too_long' : 'prompt_empty' }));
          return;
        }
        isBusy = true;
        submit.setAttribute('aria-disabled', 'true');
        try {
          const { id } = await refine(now.id, prompt.value.trim(), this.#on.app.notice);
          this.#on.next(addressOf(id), t('The next version is on its way.'));
        } catch (error) {
          if (error.detail === undefined) console.error(error);
          if (!error.isOver) prompt.fail(refusalOf(error));
        }
        isBusy = false;
        submit.removeAttribute('aria-disabled');
      } }, prompt.root, terms, submit);
    loadOffer(this.#on.signal).then((offer) => { if (lengthIn(offer, now.seconds)) terms.textContent = termsOf(offer, now.seconds, Date.now()); }, () => {});
    return form;
  }

  // MARK: its versions

  async #showVersions() {
    try {
      const { familyIn, versionsOf } = await import('./family.js');
      this.#family = await familyIn(this.#now, this.#on.signal);
      if (this.#on.signal.aborted) return;
      this.#versions.replaceChildren(...versionsOf(this.#family, this.#now.id, (id) => this.#on.next(addressOf(id), '')));
    } catch (error) {
      // Each version has its place in the list, too.
      if (!this.#on.signal.aborted && !error.isOver) console.warn('versions', error.message);
    }
  }

  async #watch() {
    if (!await watch(this.#now, this.#family, this.#on)) this.#on.say(t('The clip could not be loaded. Please try again.'));
  }
}
