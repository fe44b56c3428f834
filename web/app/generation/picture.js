// The picture that a video starts from: chosen, dropped or pasted, drawn anew here, sent at once, and shown as the server cuts it to the
// shape. It refuses to keep the file: a draft has the picture's id, and a page that was loaded again asks the server for the rest.

import { el } from '../account/form.js';
import { addressOf, request, route } from '../api/api.js';
import { t } from '../words/words.js';
import { refusalOf } from './words.js';

// px of the longer side: more than any shape has.
const LONGEST = 2048;
const QUALITY = 0.9;
// A picture on a bad link.
const PATIENCE_MS = 90_000;
const KINDS = 'image/jpeg,image/png,image/webp,image/heic,image/avif,image/*';
const unreadable = () => t('This file is no picture that this browser can read.');

const pathOf = (id) => route`/generation-pictures/${id}`;

/** Sides of what is sent: never larger than it is. */
export function sidesOf(width, height) {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  return [width, height].map((side) => Math.max(1, Math.round(side * scale)));
}

/** The first picture of what was dropped or pasted; null: there is none. */
export const pictureIn = (transfer) => [...(transfer?.files ?? [])].find(({ type }) => type.startsWith('image/')) ?? null;

/** `chosen` is the id of before, `aspect` the shape at first; `changed()` hears of each choice. Answers `{root, value, isBusy, clear(),
 *  fit(aspect), fail(words), listen(form)}`, the value the id or null. */
export function pictureChoice({ chosen = null, aspect, changed, signal }) {
  let value = chosen;
  let shape = aspect;
  let sending = null;
  let isAskedAgain = false;
  const image = el('img', { alt: t('The picture that it starts from, cut to the shape'), error: () => askAgain() });
  const preview = el('div', { class: 'first', hidden: true }, image);
  const choose = el('button', { type: 'button', class: 'link', click: () => ask() });
  const remove = el('button', { type: 'button', class: 'link', hidden: true, click: () => {
    clear();
    changed();
    choose.focus();
  } }, t('Remove the picture'));
  const status = el('div', { class: 'slow', 'aria-live': 'polite' });
  const error = el('p', { class: 'error', role: 'alert', tabindex: '-1', hidden: true });
  const root = el('section', { class: 'picture', 'aria-label': t('Picture to start from') }, el('p', { class: 'acts' }, choose, remove), preview, status,
    el('p', { class: 'hint' }, t('You can drop or paste one here as well. Only you and whoever makes the video see it.')), error);
  signal.addEventListener('abort', () => sending?.abort(), { once: true });
  show();
  if (value) restore();
  return { root, get value() { return value; }, get isBusy() { return sending !== null; }, clear, fit, fail, listen };

  function show() {
    choose.textContent = value ? t('Choose another picture') : t('Start from a picture');
    remove.hidden = !value;
    preview.hidden = !value;
    preview.dataset.aspect = shape;
    const address = value ? addressOf(pathOf(value), { aspect: shape }) : '';
    if (!address) image.removeAttribute('src');
    else if (image.getAttribute('src') !== address) image.src = address;
  }

  /** Whether it is still there; with it comes whatever a picture needs of whoever is signed in. */
  async function restore() {
    const id = value;
    try {
      await request(pathOf(id), { method: 'HEAD', signal });
      if (value !== id) return;
      image.removeAttribute('src');
      show();
    } catch (problem) {
      if (signal.aborted || value !== id || problem.status !== 404) return;
      lose();
      fail(refusalOf({ code: 'picture_not_found' }), false);
    }
  }

  function askAgain() {
    if (!value || isAskedAgain) return;
    isAskedAgain = true;
    restore();
  }

  function ask() {
    // NB: it stays out of the page, where it would be a field of the form.
    const input = el('input', { type: 'file', accept: KINDS });
    input.addEventListener('change', () => { if (input.files[0]) take(input.files[0]); });
    input.click();
  }

  async function take(file) {
    sending?.abort();
    const own = new AbortController();
    sending = own;
    fail('');
    status.replaceChildren(t('Sending the picture…'), el('progress', { 'aria-label': t('Sending the picture') }));
    changed();
    try {
      const body = await drawn(file);
      const { id } = await request('/generation-pictures', { method: 'POST', body, type: 'image/jpeg', patience: PATIENCE_MS, signal: own.signal });
      if (sending === own) put(id);
    } catch (problem) {
      if (sending === own && !signal.aborted && !problem.isOver) fail(problem.words ?? refusalOf(problem));
    }
    if (sending !== own) return;
    sending = null;
    status.replaceChildren();
    changed();
  }

  function put(id) {
    if (value && value !== id) giveBack(value);
    value = id;
    isAskedAgain = false;
    show();
  }

  function lose() {
    value = null;
    show();
    changed();
  }

  function clear() {
    sending?.abort();
    sending = null;
    status.replaceChildren();
    fail('');
    if (value) giveBack(value);
    value = null;
    show();
  }

  function fit(next) {
    shape = next;
    show();
  }

  function fail(words, isAsked = true) {
    error.textContent = words;
    error.hidden = !words;
    if (words && isAsked) error.focus();
  }

  /** What is dropped or pasted anywhere in the form. NB: elsewhere on the page a file that is dropped is a video to upload. */
  function listen(form) {
    const isTaken = (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return false;
      // Else the browser would leave the page for the file.
      event.preventDefault();
      event.stopPropagation();
      return true;
    };
    form.addEventListener('dragover', isTaken);
    form.addEventListener('drop', (event) => {
      if (!isTaken(event)) return;
      const file = pictureIn(event.dataTransfer);
      if (file) take(file); else fail(unreadable());
    });
    form.addEventListener('paste', (event) => {
      const file = pictureIn(event.clipboardData);
      // A text that comes with a picture of itself is a text.
      if (!file || event.clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      event.stopPropagation();
      take(file);
    });
  }
}

/** One that something starts from stays with that; else it would go in a day. */
const giveBack = (id) => { request(pathOf(id), { method: 'DELETE' }).catch(() => {}); };

/** A JPEG of what one sees, and of nothing else that is in the file. */
async function drawn(file) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch (cause) {
    throw Object.assign(new Error('no picture', { cause }), { words: unreadable() });
  }
  const [width, height] = sidesOf(bitmap.width, bitmap.height);
  const canvas = el('canvas', { width, height });
  const context = canvas.getContext('2d');
  // What is transparent comes out as the server would make it.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', QUALITY); });
  if (!blob) throw Object.assign(new Error('the picture cannot be drawn'), { words: unreadable() });
  return blob;
}
