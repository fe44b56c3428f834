// Where somebody says what is to be seen: a page of the account screen. What it costs, what is left and how long it takes stands there before
// anybody taps. It refuses to know prices and limits: the server offers them.

import { el } from '../account/form.js';
import { signedIn } from '../auth/auth.js';
import { t } from '../words/words.js';
import { addressOf, drafts, failure, generate, loadOffer, signInFirst, turning } from './asking.js';
import { aspectChoices, choiceFor, isEmpty, lengthChoices, obstacleTo, termsOf } from './offer.js';
import { pictureChoice } from './picture.js';
import { promptField } from './prompt.js';
import { startChoice } from './start.js';
import { lengthOf, PROMPT_LENGTH, refusalOf, styles } from './words.js';

const NAME = 'new';
const examples = () => [
  t('A paper boat on a rainy street at night, street lamps mirrored in the puddles, the camera low and close'),
  t('A fox walks through fresh snow at dawn, slow motion, breath in the cold air'),
  t('A city of books, seen from above, pages turning in the wind like flags'),
];

export async function fill(place, on) {
  place.className = 'from-words';
  if (!signedIn()) {
    place.replaceChildren(signInFirst(on));
    return;
  }
  place.replaceChildren(turning());
  try {
    const offer = await loadOffer(on.signal);
    if (on.signal.aborted) return;
    place.replaceChildren(...(isEmpty(offer) ? nobody(on) : [new Wish(offer, on).root]));
    on.arrive();
  } catch (error) {
    if (on.signal.aborted || error.isOver) return;
    if (error.detail === undefined) console.error(error);
    place.replaceChildren(failure(refusalOf(error), () => fill(place, on)));
  }
}

const before = (on) => el('button', { type: 'button', class: 'link', click: () => on.go('generations') }, t('What you had made'));

const nobody = (on) => [el('div', { class: 'none' },
  el('p', {}, t('Clips cannot be made from words here: whoever runs this site has set up nobody who makes them. You can record or upload one with + above the feed.'))),
el('p', { class: 'ways' }, before(on))];

const choices = (name, legend, options, chosen) => el('fieldset', { class: 'choices' }, el('legend', {}, legend),
  ...options.map(([value, title, hint]) => el('label', {}, el('input', { type: 'radio', name, value, checked: value === chosen }),
    el('span', {}, el('b', {}, title), hint ? ` ${hint}` : ''))));

class Wish {
  root;
  #offer;
  #on;
  #prompt;
  #start = null;
  #picture = null;
  #terms = el('p', { class: 'terms', role: 'status' });
  #error = el('p', { class: 'error', role: 'alert', tabindex: '-1', hidden: true });
  #submit = el('button', { type: 'submit', class: 'main' }, t('Generate'));
  #examples;
  #isBusy = false;

  constructor(offer, on) {
    this.#offer = offer;
    this.#on = on;
    const known = drafts().fields(NAME);
    const choice = choiceFor(offer, known);
    this.#prompt = promptField({ label: t('What is to be seen'), value: known.prompt ?? '',
      hint: t('The more you say of place, light and movement, the nearer it comes. Refused is what is hateful, sexual or violent, and what shows real people as they never were.') });
    this.#examples = el('div', { class: 'examples', role: 'group', 'aria-label': t('Examples') }, ...examples().map((words) =>
      el('button', { type: 'button', click: () => this.#take(words) }, words)));
    if (offer.starts_from_clips) this.#start = startChoice({ chosen: known.from ?? null, changed: () => this.#took(this.#picture), signal: on.signal });
    if (offer.starts_from_pictures) this.#picture = pictureChoice({ chosen: known.picture ?? null, aspect: choice.aspect, changed: () => this.#took(this.#start, this.#picture), signal: on.signal });
    this.root = el('form', { novalidate: true, 'aria-label': t('A clip from words'), input: () => this.#changed(), submit: (event) => this.#send(event) },
      this.#prompt.root, this.#examples,
      choices('seconds', t('Length'), lengthChoices(offer), choice.seconds), choices('aspect', t('Shape'), aspectChoices(offer), choice.aspect),
      choices('style', t('Style'), Object.entries(styles()), choice.style),
      ...[this.#picture, this.#start].filter(Boolean).map(({ root }) => root), this.#terms, this.#error, this.#submit, el('p', { class: 'ways' }, before(on)));
    this.#picture?.listen(this.root);
    this.#show();
  }

  get #fields() {
    const chosen = (name) => this.root.querySelector(`[name=${name}]:checked`)?.value;
    return { prompt: this.#prompt.value, seconds: Number(chosen('seconds')), aspect: chosen('aspect'), style: chosen('style'), from: this.#start?.value ?? null, picture: this.#picture?.value ?? null };
  }

  #changed() {
    this.#fail('');
    drafts().write(NAME, this.#fields);
    this.#show();
  }

  /** It starts from one of both, the one that was chosen last. */
  #took(other, chosen = this.#start) {
    if (chosen.value && other?.value) other.clear();
    this.#changed();
  }

  /** An example; what somebody wrote is never written over. */
  #take(words) {
    this.#prompt.set(words);
    this.#changed();
    this.#prompt.focus();
  }

  #show() {
    const { seconds, aspect } = this.#fields;
    this.#picture?.fit(aspect);
    const terms = termsOf(this.#offer, seconds, Date.now());
    // Said again only when it is another.
    if (this.#terms.textContent !== terms) this.#terms.textContent = terms;
    this.#examples.hidden = lengthOf(this.#prompt.value) > 0;
    this.#submit.setAttribute('aria-disabled', String(this.#isBusy || Boolean(this.#picture?.isBusy) || Boolean(obstacleTo(this.#offer, seconds))));
  }

  async #send(event) {
    event.preventDefault();
    if (this.#isBusy || this.#picture?.isBusy) return;
    const { prompt, seconds, aspect, style, from, picture } = this.#fields;
    const length = lengthOf(prompt);
    if (!length || length > PROMPT_LENGTH) {
      this.#prompt.fail(refusalOf({ code: length ? 'prompt_too_long' : 'prompt_empty' }));
      return;
    }
    if (obstacleTo(this.#offer, seconds)) {
      this.#fail(termsOf(this.#offer, seconds, Date.now()));
      this.#error.focus();
      return;
    }
    this.#turn(true);
    try {
      const { id } = await generate({ prompt: prompt.trim(), seconds, style, aspect, ...(from && { from_clip_id: from }), ...(picture && { picture_id: picture }) }, this.#on.app.notice);
      // Going back leads to where this was opened, not to a form that is sent.
      this.#on.next(addressOf(id), '');
    } catch (error) {
      await this.#refuse(error);
    }
    this.#turn(false);
  }

  async #refuse(error) {
    if (error.isOver) return;
    if (error.detail === undefined) console.error(error);
    const words = refusalOf(error);
    if (error.code === 'picture_not_found') {
      this.#picture?.clear();
      this.#changed();
    }
    if (error.field === 'prompt') this.#prompt.fail(words);
    else if (this.#picture && (error.field === 'picture_id' || error.code === 'picture_not_found')) this.#picture.fail(words);
    else {
      this.#fail(words);
      this.#error.focus();
    }
    // What stands there of credits and places is not so any more.
    if (['insufficient_credits', 'generations_under_way', 'generation_not_possible', 'generation_unavailable'].includes(error.code)) {
      this.#offer = await loadOffer(this.#on.signal).then((offer) => (isEmpty(offer) ? this.#offer : offer), () => this.#offer);
    }
  }

  #turn(isBusy) {
    this.#isBusy = isBusy;
    this.root.setAttribute('aria-busy', String(isBusy));
    this.#submit.textContent = isBusy ? t('Sending…') : t('Generate');
    this.#show();
  }

  #fail(words) {
    this.#error.textContent = words;
    this.#error.hidden = !words;
  }
}
