// The page of the account screen that says what this device keeps: kept clips, what clips take that were loaded by themselves, how
// much room there is; and installing. `on` is the screen.

import { el } from '../account/form.js';
import { pictureOf } from '../account/lists.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';
import { keptClips } from './kept.js';
import { bring, canKeep, failureOf, letGo, lookAfter, onKept, shareOf, stop } from './keeping.js';
import { installation } from './install.js';
import { room, sizeText } from './room.js';

/** Fills `place`, which is on the page already. */
export async function fill(place, on) {
  await loadStyles('/app/offline/page.css');
  place.className = 'offline';
  if (!canKeep) {
    place.append(el('p', { class: 'lead' }, t('This browser keeps nothing for pages, so clips can’t be kept here.')));
    return;
  }
  const { app, signal } = on;
  const rows = el('ul', { class: 'kept', 'aria-label': t('Kept clips') });
  const none = el('div', { class: 'none', hidden: true }, t('No kept clips yet. “Keep on this device” is in the menu of each clip.'));
  const all = el('button', { type: 'button', class: 'plain', hidden: true, click: () => ask() }, t('Remove all'));
  const space = room(app);
  const shown = new Map();
  let records = [];

  async function show() {
    records = await keptClips();
    if (signal.aborted) return;
    const ids = new Set(records.map(({ item }) => item.id));
    for (const [id, row] of shown) if (!ids.has(id) && shown.delete(id)) row.root.remove();
    for (const [at, record] of records.entries()) {
      const row = shown.get(record.item.id) ?? new Row(on, () => records);
      shown.set(record.item.id, row);
      row.show(record);
      if (rows.children[at] !== row.root) rows.insertBefore(row.root, rows.children[at] ?? null);
    }
    none.hidden = records.length > 0;
    all.hidden = records.length < 2;
    await space.show(records);
  }

  /** They may be gone from the server, or there is no network now: once more is asked. */
  function ask() {
    if (all.dataset.sure === undefined) {
      all.dataset.sure = '';
      all.textContent = t('Remove all {number}?', { number: records.length });
      all.addEventListener('blur', () => {
        delete all.dataset.sure;
        all.textContent = t('Remove all');
      }, { once: true });
      return;
    }
    Promise.all(records.map((record) => letGo(app, record))).then(() => on.say(t('The kept clips are gone from this device.')));
  }

  place.append(el('p', { class: 'lead' }, t('They play without a network, on this device.')));
  // What comes in between is shown once, with what is there then.
  let isShowing = false;
  let isStale = false;
  const again = async () => {
    isStale = true;
    if (isShowing) return;
    isShowing = true;
    while (isStale && !signal.aborted) {
      isStale = false;
      await show();
    }
    isShowing = false;
  };
  onKept(again, signal);
  await again().finally(() => place.append(rows, none, all, ...space.elements, ...installation(app)));
  await lookAfter(app, true);
}

/** One kept clip; its buttons stay the same elements, so that the focus stays on them. */
class Row {
  root = el('li');
  #on;
  #all;
  #record = null;
  #facts = el('span');
  #bar = el('progress', { max: '1', hidden: true });
  #act = el('button', { type: 'button', click: () => this.#acted() });
  #again = el('button', { type: 'button', hidden: true, click: () => bring(this.#on.app, this.#record) }, t('Try again'));

  constructor(on, all) {
    this.#on = on;
    this.#all = all;
  }

  show(record) {
    const { item, bytes, isWhole } = record;
    if (!this.#record) this.#build(item);
    this.#record = record;
    const share = shareOf(item.id);
    const isComing = share !== undefined;
    this.#facts.textContent = isComing ? t('{percent} % of {size}', { percent: Math.floor(share * 100), size: sizeText(bytes) })
      : isWhole ? `${sizeText(bytes)} · ${item.author.name ?? ''}` : failureOf(item.id) ?? t('Not here whole.');
    this.#bar.hidden = !isComing;
    this.#bar.value = share ?? 0;
    this.#act.textContent = isComing ? t('Cancel') : t('Remove');
    this.#again.hidden = isComing || isWhole;
  }

  #build(item) {
    const name = item.caption || t('Clip without a caption');
    this.#bar.setAttribute('aria-label', t('Loading: {name}', { name }));
    this.#act.setAttribute('aria-description', name);
    this.#again.setAttribute('aria-description', name);
    this.root.append(
      el('button', { type: 'button', class: 'shown', 'aria-label': t('Watch: {name}', { name }), click: () => this.#watch() },
        ...(item.poster ? pictureOf(item.poster) : [])),
      el('div', { class: 'told' }, el('strong', { dir: 'auto' }, name), this.#facts, this.#bar,
        el('p', { class: 'acts' }, this.#again, this.#act)));
  }

  #acted() {
    if (shareOf(this.#record.item.id) !== undefined) stop(this.#record.item.id);
    else letGo(this.#on.app, this.#record);
  }

  /** All that are here, from this one on. */
  #watch() {
    const clips = this.#all().filter(({ isWhole, item }) => isWhole || item.id === this.#record.item.id).map(({ item }) => item);
    this.#on.watch(t('Kept clips'), clips, this.#record.item);
  }
}
