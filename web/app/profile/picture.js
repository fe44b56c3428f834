// One's own picture: chosen from a file, the square of it that others see, and removed. What is sent is drawn anew here, so nothing of
// the file leaves the device but what one sees.

import { request } from '../api/api.js';
import { el } from '../account/form.js';
import { faceOf } from '../profile-link/face.js';
import { Crop } from './crop.js';
import { problemText, t } from '../words/words.js';

// px. Of what is sent, and of what is shown while it is chosen.
const SENT = 1024;
const SHOWN = 640;
const QUALITY = 0.92;
// A picture on a bad link.
const PATIENCE_MS = 90_000;
// Parts of the square.
const STEP = 0.04;
const ZOOM = 1.1;
const KINDS = 'image/jpeg,image/png,image/webp,image/heic,image/avif,image/*';
const hintText = () => t('Drag it, or use the arrow keys. Make it larger with two fingers, the wheel, or + and −.');
const sorry = (error) => problemText(error) || t('This was not saved. Please try again.');

/** Of whoever is signed in. `on`: `signal`, `say(text)`. */
export function pictureOf(author, on) {
  const root = el('section', { class: 'portrait', 'aria-label': t('Picture') });
  show();
  return root;

  function show() {
    const choose = el('button', { type: 'button', class: 'plain', click: () => ask() }, author.picture ? t('Change the picture') : t('Add a picture'));
    const failure = el('p', { class: 'error', role: 'alert', tabindex: '-1', hidden: true });
    root.replaceChildren(faceOf(author, 84), choose, author.picture
      ? el('button', { type: 'button', class: 'plain', click: (event) => remove(event.currentTarget) }, t('Remove the picture')) : '', failure);
  }

  function ask() {
    // NB: it stays out of the page, where it would be the first field.
    const input = el('input', { type: 'file', accept: KINDS });
    input.addEventListener('change', () => { if (input.files[0]) take(input.files[0]); });
    input.click();
  }

  async function take(file) {
    let bitmap;
    try {
      bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    } catch {
      fail(t('This file is no picture that this browser can read.'));
      return;
    }
    if (on.signal.aborted) return;
    root.replaceChildren(...chooser(bitmap, (next) => {
      bitmap.close();
      if (next) Object.assign(author, next);
      show();
      root.querySelector('button').focus();
    }, on));
    root.querySelector('.crop').focus();
  }

  async function remove(button) {
    if (button.getAttribute('aria-disabled')) return;
    button.setAttribute('aria-disabled', 'true');
    try {
      await request('/account/picture', { method: 'DELETE' });
      delete author.picture;
      show();
      root.querySelector('button').focus();
      on.say(t('The picture is removed.'));
    } catch (error) {
      button.removeAttribute('aria-disabled');
      fail(sorry(error));
    }
  }

  function fail(text) {
    const failure = root.querySelector('.error');
    failure.textContent = text;
    failure.hidden = false;
    failure.focus();
  }
}

/** `done(author)`: null if it stays as it was. */
function chooser(bitmap, done, on) {
  const crop = new Crop(bitmap.width, bitmap.height);
  const canvas = el('canvas', { width: SHOWN, height: SHOWN, 'aria-hidden': 'true' });
  const nearness = el('input', { type: 'range', min: '0', max: '100', step: '1', 'aria-label': t('How near'), input: () => {
    crop.nearness = nearness.valueAsNumber / 100;
    draw();
  } });
  const stage = el('div', { class: 'crop', tabindex: '0', role: 'group', 'aria-label': t('The part that others see'), 'aria-describedby': 'crop-hint' }, canvas);
  const failure = el('p', { class: 'error', role: 'alert', tabindex: '-1', hidden: true });
  const slow = el('div', { class: 'slow', 'aria-live': 'polite' });
  const use = el('button', { type: 'button', class: 'main', click: send }, t('Use this picture'));
  let isBusy = false;

  function draw() {
    paint(canvas, bitmap, crop.square);
    nearness.value = Math.round(crop.nearness * 100);
  }

  async function send() {
    if (isBusy) return;
    isBusy = true;
    use.setAttribute('aria-disabled', 'true');
    failure.hidden = true;
    slow.replaceChildren(t('Saving…'), el('progress', { 'aria-label': t('Saving') }));
    try {
      const author = await request('/account/picture', { method: 'PUT', body: await fileOf(bitmap, crop.square), type: 'image/jpeg', patience: PATIENCE_MS });
      on.say(t('The picture is saved.'));
      done(author);
    } catch (error) {
      // What was chosen stays chosen.
      failure.textContent = sorry(error);
      failure.hidden = false;
      failure.focus();
    }
    slow.replaceChildren();
    use.removeAttribute('aria-disabled');
    isBusy = false;
  }

  listen(stage, crop, draw);
  draw();
  return [stage, nearness, el('p', { class: 'hint', id: 'crop-hint' }, hintText()), failure, slow, use,
    el('button', { type: 'button', class: 'plain', click: () => { if (!isBusy) done(null); } }, t('Cancel'))];
}

function paint(canvas, bitmap, { x, y, side }) {
  const context = canvas.getContext('2d');
  // What is transparent comes out as the server would make it.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, x, y, side, side, 0, 0, canvas.width, canvas.height);
}

/** No larger than it is. */
async function fileOf(bitmap, square) {
  const side = Math.max(1, Math.min(SENT, Math.round(square.side)));
  const canvas = el('canvas', { width: side, height: side });
  paint(canvas, bitmap, square);
  const file = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', QUALITY); });
  if (!file) throw new Error('the picture cannot be drawn');
  return file;
}

/** Fingers, the wheel and keys; `moved()` hears of each change. */
function listen(stage, crop, moved) {
  const fingers = new Map();
  const middle = () => {
    const all = [...fingers.values()];
    const [x, y] = ['x', 'y'].map((axis) => all.reduce((sum, finger) => sum + finger[axis], 0) / all.length);
    return { x, y, spread: Math.max(...all.map((finger) => Math.hypot(finger.x - x, finger.y - y))) };
  };
  const change = (work) => {
    work(stage.getBoundingClientRect());
    moved();
  };
  stage.addEventListener('pointerdown', (event) => {
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  stage.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = middle();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = middle();
    change(({ left, top, width }) => {
      crop.move((now.x - before.x) / width, (now.y - before.y) / width);
      if (before.spread > 0 && now.spread > 0) crop.zoom(now.spread / before.spread, (now.x - left) / width, (now.y - top) / width);
    });
  });
  for (const end of ['pointerup', 'pointercancel']) stage.addEventListener(end, ({ pointerId }) => fingers.delete(pointerId));
  stage.addEventListener('wheel', (event) => {
    event.preventDefault();
    change(({ left, top, width }) => crop.zoom(Math.exp(-event.deltaY / 500), (event.clientX - left) / width, (event.clientY - top) / width));
  }, { passive: false });
  const keys = {
    ArrowLeft: () => crop.move(-STEP, 0), ArrowRight: () => crop.move(STEP, 0), ArrowUp: () => crop.move(0, -STEP), ArrowDown: () => crop.move(0, STEP),
    '+': () => crop.zoom(ZOOM), '=': () => crop.zoom(ZOOM), '-': () => crop.zoom(1 / ZOOM),
  };
  stage.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    change(keys[event.key]);
  });
}
