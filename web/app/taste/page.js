// What For you goes by, on a page of the account screen, for guests too: each belief can be taken out, and what was left out be taken
// back. It refuses to know how a belief comes to be.

import { el } from '../account/form.js';
import { faceOf } from '../profile-link/face.js';
import { ask } from '../blocking/blocking.js';
import { loadStyles } from '../screens/screens.js';
import { nameOf, note } from '../sounds/sounds.js';
import { plural, problemText, t } from '../words/words.js';
import { dismiss, forgetTaste, loadTaste, personalise } from './server.js';

const question = () => ({
  title: t('Forget what was learned?'),
  text: t('For you starts anew, with what many people like and what is new. Your likes, bookmarks and follows stay. This can’t be undone.'),
  yes: t('Forget it'),
});

const counted = (clips) => plural(clips, '{count} clip', '{count} clips');

/** `on`: the account screen. */
export async function fill(place, on) {
  // Without its looks it can still be read.
  await loadStyles('/app/settings/page.css').catch(console.warn);
  if (!on.signal.aborted) await new Page(place, on).load();
}

class Page {
  #place;
  #on;
  #isBusy = false;

  constructor(place, on) {
    this.#place = place;
    this.#on = on;
    place.className = 'taste';
  }

  /** `focus`: the heading that gets it, where what had it is gone. */
  async load(focus) {
    if (!focus) this.#place.replaceChildren(el('p', { class: 'turning', role: 'img', 'aria-label': t('Loading') }));
    try {
      const taste = await loadTaste();
      if (this.#on.signal.aborted) return;
      this.#show(taste);
      if (focus) this.#place.querySelector(`#${focus}`)?.focus();
    } catch (error) {
      if (error.isOver || this.#on.signal.aborted) return;
      if (error.detail === undefined) console.error(error);
      this.#place.replaceChildren(el('div', { class: 'none', role: 'alert' },
        el('p', {}, problemText(error) || t('This could not be loaded.')),
        el('button', { type: 'button', click: () => this.load() }, t('Try again'))));
    }
  }

  #show({ personalised, tags = [], authors = [], dismissed = [] }) {
    const nothing = t('Nothing yet. It comes with what you like, and with clips that you watch to the end.');
    this.#place.replaceChildren(
      el('ul', { class: 'switches' }, this.#switch(personalised)),
      el('p', { class: 'hint' }, t('What follows is counted in the last hundred clips that you liked or watched to the end.')),
      ...this.#list('taste-tags', t('Tags that you seem to like'), nothing, tags.map(({ tag, clips }) => this.#row({
        name: `#${tag}`, hint: counted(clips), list: 'taste-tags', isWanted: false, dismissal: { kind: 'tag', subject: tag } }))),
      ...this.#list('taste-authors', t('People whose clips you seem to like'), nothing, authors.map(({ author, clips }) => this.#row({
        name: author.name, author, hint: `@${author.handle} · ${counted(clips)}`,
        list: 'taste-authors', isWanted: false, dismissal: { kind: 'author', subject: author.id } }))),
      ...this.#list('taste-left', t('What you want less of'), t('Nothing. Say so by the dots beside a name, under “Why this clip?”.'),
        dismissed.map((row) => this.#leftOut(row)).filter(Boolean)),
      el('ul', { class: 'rows' }, el('li', {}, el('button', { type: 'button', click: () => this.#on.goTo('#trending') },
        el('span', {}, t('Trending')), el('small', {}, t('What rises now'))))),
      el('button', { type: 'button', class: 'plain', click: () => this.#forget() }, t('Forget what was learned')),
    );
  }

  #switch(personalised) {
    const box = el('input', { type: 'checkbox', role: 'switch', id: 'taste-learns', 'aria-describedby': 'taste-learns-hint', change: async () => {
      try {
        ({ personalised: box.checked } = await personalise(box.checked));
        this.#on.say(box.checked ? t('For you learns from now on.') : t('For you shows the newest clips from its next page on.'));
      } catch (error) {
        box.checked = !box.checked;
        this.#on.say(problemText(error) || t('This was not saved. Please try again.'));
      }
    } });
    box.checked = personalised;
    return el('li', {}, el('label', { for: box.id }, t('Learn what I like')), box,
      el('small', { id: 'taste-learns-hint' }, t('From what you watch and like, for you alone. Without it, For you shows the newest clips.')));
  }

  #list(id, title, none, rows) {
    return [el('h3', { id, tabindex: '-1' }, title), rows.length ? el('ul', { class: 'people', 'aria-labelledby': id }, ...rows)
      : el('p', { class: 'hint' }, none)];
  }

  #row({ name, author, sign = name[0], hint, list, dismissal, isWanted }) {
    return el('li', {}, author ? faceOf(author) : el('span', { class: 'avatar', 'aria-hidden': 'true' }, sign),
      el('span', { class: 'who' }, el('strong', { dir: 'auto' }, name), hint ? el('span', { dir: 'auto' }, hint) : null),
      el('button', { type: 'button', 'aria-label': isWanted ? t('Take back: {name}', { name }) : t('Remove: {name}', { name }),
        click: () => this.#change(() => dismiss(dismissal, !isWanted), list,
          isWanted ? t('{name} may come again.', { name }) : t('For you shows less of {name}.', { name })) },
      isWanted ? t('Take back') : t('Remove')));
  }

  #leftOut({ dismissal, author }) {
    const { kind, subject } = dismissal ?? {};
    // Of a kind that may come later nothing can be said.
    if (!['tag', 'author', 'sound'].includes(kind)) return null;
    const row = {
      tag: { name: `#${subject}` },
      author: { name: author?.name ?? t('Somebody who is gone'), author, hint: author && `@${author.handle}` },
      sound: { name: nameOf(author), sign: note() },
    }[kind];
    return this.#row({ ...row, list: 'taste-left', isWanted: true, dismissal });
  }

  async #forget() {
    if (await ask(this.#on.app.stage, question())) await this.#change(forgetTaste, 'taste-tags', t('It is forgotten.'));
  }

  /** One change at a time; the page says afterwards how things stand. */
  async #change(act, list, said) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await act();
      this.#on.say(said);
      await this.load(list);
    } catch (error) {
      this.#on.say(problemText(error) || t('This was not saved. Please try again.'));
    }
    this.#isBusy = false;
  }
}
