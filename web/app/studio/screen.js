// Draws the controls as the core says, and says what was tapped. It refuses to know what may be tapped when.

import { language, t } from '../words/words.js';
import { marksOf } from './geometry.js';
import { markup, speedText } from './markup.js';
import { OBSTACLE, STAGE, hasObstacle } from './wire.js';

const NOTICE_MS = 4000;
const COUNT_MS = 100;
const seconds = (ms) => new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000);

const titles = () => ({
  [OBSTACLE.notPermitted]: t('No permission'), [OBSTACLE.noCamera]: t('No camera'),
  [OBSTACLE.interruption]: t('The camera is busy'), [OBSTACLE.storageFull]: t('No room for clips'),
});

const shutterText = (stage) => ({
  [STAGE.counting]: t('Stop the countdown'), [STAGE.starting]: t('Stop recording'),
  [STAGE.capturing]: t('Stop recording'), [STAGE.stopping]: t('Stop recording'),
}[stage] ?? t('Record'));

export class Screen {
  root = document.createElement('section');
  #on;
  #controls = {};
  #list = { clips: [] };
  #sentences = new Map();
  #growth = null;
  #counter = 0;
  #noticeTimer = 0;
  #result = null;

  /** `on`: what each `data-action` reports by its name; `chosen(name, number)` for choices; `trayOpened(name)`. */
  constructor(on) {
    this.#on = on;
    this.root.id = 'studio';
    this.root.tabIndex = -1;
    this.root.setAttribute('role', 'dialog');
    this.root.setAttribute('aria-modal', 'true');
    this.root.setAttribute('aria-label', t('Record a clip'));
    this.root.innerHTML = markup();
    this.part('camera').muted = true;
    this.allowFlip(false);
    this.root.addEventListener('click', ({ target }) => this.#clicked(target.closest('button')));
    this.root.addEventListener('change', ({ target }) => {
      if (target.type !== 'radio') return;
      on.chosen(target.name, Number(target.value));
      // What cannot be chosen now is not.
      this.#showChoices();
    });
    this.root.addEventListener('pointerdown', ({ target }) => {
      if (this.#controls.isUndoMarked && !target.closest('[data-action=undo]')) on.undoCancelled();
    });
    const result = this.part('result');
    result.addEventListener('click', () => (result.paused ? result.play() : result.pause()));
    // The feed below must not take a movement here for its own.
    for (const name of ['pointerdown', 'wheel']) this.root.addEventListener(name, (event) => event.stopPropagation());
  }

  part(name) {
    return this.root.querySelector(`[data-part=${name}]`);
  }

  tap(name) {
    return this.root.querySelector(`[data-action=${name}]`);
  }

  /** What keeps the camera away, in a sentence that says what to do. */
  explain(obstacle, sentence) {
    this.#sentences.set(obstacle, sentence);
    this.#showObstacle();
  }

  show(controls) {
    const before = this.#controls;
    this.#controls = controls;
    const { stage } = controls;
    const recording = stage >= STAGE.starting && stage <= STAGE.stopping;
    this.root.dataset.stage = Object.keys(STAGE).find((name) => STAGE[name] === stage);
    this.#showShutter(stage, controls.canRecord);
    const undo = this.tap('undo');
    undo.hidden = !controls.canUndo;
    undo.setAttribute('aria-label', controls.isUndoMarked ? t('Delete the last clip') : t('Undo the last clip'));
    undo.toggleAttribute('data-marked', controls.isUndoMarked);
    this.tap('finish').hidden = !controls.canFinish;
    this.tap('torch').hidden = !controls.hasTorch;
    this.tap('torch').setAttribute('aria-pressed', String(controls.isTorchOn));
    this.#showChoices();
    this.part('speed-label').textContent = controls.speed === 100 ? t('Speed::recording') : speedText(controls.speed);
    this.part('countdown-label').textContent = controls.countdown ? t('{seconds} s', { seconds: controls.countdown }) : t('Timer');
    this.part('count').hidden = stage !== STAGE.counting;
    this.part('count').textContent = new Intl.NumberFormat(language()).format(controls.secondsLeft);
    this.root.querySelector('.making').hidden = stage !== STAGE.assembling;
    this.root.querySelector('.ready').hidden = stage !== STAGE.finished;
    if (recording || stage === STAGE.counting || stage >= STAGE.assembling) this.openTray(null);
    if (stage !== before.stage) this.#say(before.stage, controls);
    this.#showMarks();
    this.#grow(controls);
    this.#showObstacle();
    this.#inertBehindPanels();
  }

  showList(list) {
    this.#list = list;
    this.#showMarks();
  }

  allowFlip(isAllowed) {
    this.tap('flip').hidden = !isAllowed;
  }

  showShare(share) {
    this.root.querySelector('progress').value = share;
    this.part('share').textContent = t('{percent} %', { percent: Math.floor(share * 100) });
  }

  /** Loops a finished video; null takes it away. */
  showResult(file) {
    const video = this.part('result');
    if (this.#result) URL.revokeObjectURL(this.#result);
    this.#result = file && URL.createObjectURL(file);
    video.hidden = !file;
    if (!file) {
      video.removeAttribute('src');
      return video.load();
    }
    video.src = this.#result;
    return video.play().catch(() => { /* it stands at its first picture */ });
  }

  get result() {
    return this.#result;
  }

  ask(isAsked) {
    const question = this.part('question');
    question.hidden = !isAsked;
    this.#inertBehindPanels();
    if (isAsked) question.querySelector('button').focus();
    else this.root.focus();
  }

  get isAsking() {
    return !this.part('question').hidden;
  }

  notice(text) {
    clearTimeout(this.#noticeTimer);
    const status = this.part('status');
    delete status.dataset.quiet;
    status.textContent = text;
    this.#noticeTimer = setTimeout(() => { status.textContent = ''; }, NOTICE_MS);
  }

  /** Opens a tray and closes the others; null closes all. False if it was so already. */
  openTray(name) {
    let hasChanged = false;
    for (const button of this.root.querySelectorAll('[data-tray]')) {
      const tray = this.root.querySelector(`#tray-${button.dataset.tray}`);
      const isOpen = button.dataset.tray === name;
      hasChanged ||= tray.hidden === isOpen;
      tray.hidden = !isOpen;
      button.setAttribute('aria-expanded', String(isOpen));
    }
    this.root.toggleAttribute('data-tray-open', Boolean(name));
    if (name && hasChanged) this.#on.trayOpened(name);
    return hasChanged;
  }

  free() {
    clearTimeout(this.#noticeTimer);
    clearInterval(this.#counter);
    this.#growth?.cancel();
    this.showResult(null);
    this.root.remove();
  }

  #clicked(button) {
    if (button?.dataset.tray) {
      const isOpen = button.getAttribute('aria-expanded') === 'true';
      this.openTray(isOpen ? null : button.dataset.tray);
    } else if (button?.dataset.action) this.#on[button.dataset.action]();
  }

  #showShutter(stage, canRecord) {
    const shutter = this.part('shutter');
    shutter.setAttribute('aria-label', shutterText(stage));
    shutter.setAttribute('aria-disabled', String(stage === STAGE.ready && !canRecord));
  }

  #showChoices() {
    for (const name of ['limit', 'speed', 'countdown']) {
      const input = this.root.querySelector(`input[name=${name}][value="${this.#controls[name]}"]`);
      if (input) input.checked = true;
    }
  }

  /** What has changed, for those who do not see it. */
  #say(before, { stage, played, limit }) {
    const status = this.part('status');
    const message = {
      [STAGE.capturing]: t('Recording'), [STAGE.assembling]: t('Making your video'), [STAGE.finished]: t('Your video is ready'),
      [STAGE.ready]: before >= STAGE.starting && before <= STAGE.stopping
        ? t('{part} of {whole} seconds recorded', { part: seconds(played), whole: limit / 1000 }) : null,
    }[stage];
    if (!message || (status.textContent && !('quiet' in status.dataset))) return;
    status.dataset.quiet = '';
    status.textContent = message;
  }

  #showMarks() {
    const { played, limit, isUndoMarked } = this.#controls;
    this.part('marks').replaceChildren(...marksOf(this.#list).map(({ start, length, isLast }) => {
      const mark = document.createElement('i');
      mark.style.left = `${start * 100}%`;
      mark.style.width = `${length * 100}%`;
      mark.toggleAttribute('data-marked', Boolean(isUndoMarked) && isLast);
      return mark;
    }));
    if (limit) this.#showLength(played, limit);
  }

  #showLength(played, limit) {
    const progress = this.part('progress');
    progress.setAttribute('aria-valuemax', limit);
    progress.setAttribute('aria-valuenow', Math.round(played));
    progress.setAttribute('aria-valuetext', t('{part} of {whole} seconds', { part: seconds(played), whole: limit / 1000 }));
    this.part('length').textContent = played ? t('{seconds} s', { seconds: seconds(played) }) : '';
  }

  /** The clip that is being recorded grows by itself, by 100 / speed ms per ms. */
  #grow({ stage, played, limit, speed }) {
    if (stage === STAGE.stopping && this.#growth) return this.#growth.pause();
    clearInterval(this.#counter);
    this.#growth?.cancel();
    this.#growth = null;
    if (stage !== STAGE.capturing) return undefined;
    const growing = this.part('growing');
    growing.style.left = `${(played / limit) * 100}%`;
    growing.style.width = `${(1 - played / limit) * 100}%`;
    const duration = ((limit - played) * speed) / 100;
    const growth = growing.animate({ transform: ['scaleX(0)', 'scaleX(1)'] }, { duration, fill: 'both' });
    this.#growth = growth;
    this.#counter = setInterval(() => {
      this.#showLength(Math.min(limit, played + (growth.currentTime * 100) / speed), limit);
    }, COUNT_MS);
    return undefined;
  }

  #showObstacle() {
    const { obstacles = 0, stage } = this.#controls;
    const names = titles();
    const kind = Object.keys(names).map(Number).find((obstacle) => hasObstacle(obstacles, obstacle));
    const panel = this.part('obstacle');
    const isHidden = !kind || stage >= STAGE.assembling;
    if (!isHidden) {
      panel.querySelector('h2').textContent = names[kind];
      panel.querySelector('p').textContent = this.#sentences.get(kind) ?? '';
    }
    panel.hidden = isHidden;
  }

  #inertBehindPanels() {
    const question = this.part('question');
    for (const element of this.root.children) element.inert = this.isAsking && element !== question;
  }
}
