// Draws the upload as its host tells it, and says what was tapped and typed. It refuses to know what may be done
// when, beyond what the machine says of its own buttons.

import { now } from '../core/core.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';
import { CAPTION_LENGTH, captionFits, charactersIn } from './details.js';
import { markup } from './markup.js';
import { PHASE } from './wire.js';
import { lasting, lineOf, shareOf, sized, spokenOf, troubleOf } from './strings.js';

const TICK_MS = 500;
const NOTICE_MS = 4000;
// Characters left from which on it matters how many.
const NEAR_END = 50;
// A moment of the preview that browsers draw without being asked to play.
const FIRST_PICTURE = '#t=0.001';

const doneText = (visibility) => ({
  public: t('It is on top of the feed.'),
  unlisted: t('Not listed anywhere. Anyone with the link can watch it.'),
  private: t('Only you can see it. You’ll find it under “Your clips” in your account.'),
}[visibility]);
const limits = () => t('Up to 60 seconds and 50 MB; of a longer MP4 or MOV you choose a part. WebM, Matroska and MPEG-TS, too.');

export class Screen {
  root = document.createElement('section');
  #on;
  #upload = null;
  #phase = null;
  #previewed = null;
  #address = null;
  // `{trimmer, offer}`, while a part is to be chosen.
  #trimming = null;
  // Once it is loaded; undefined before anybody could choose.
  #cover;
  #ticker = 0;
  #noticeTimer = 0;
  #leaving = new AbortController();

  /** `on`: what each `data-action` reports by its name; `chosen(file)`, `described(change)`, `settled()`. */
  constructor(on) {
    this.#on = on;
    const { root } = this;
    root.id = 'uploader';
    root.className = 'screen';
    root.tabIndex = -1;
    root.dataset.noGestures = '';
    root.setAttribute('role', 'dialog');
    root.setAttribute('aria-modal', 'true');
    root.setAttribute('aria-label', t('Upload a clip'));
    root.innerHTML = markup();
    root.addEventListener('click', ({ target }) => this.#clicked(target.closest('[data-action]')?.dataset.action));
    this.part('input').addEventListener('change', ({ target }) => {
      const [file] = target.files;
      // The same file may be chosen again.
      target.value = '';
      if (file) on.chosen(file);
    });
    this.#watchForm(this.part('form'));
    this.#watchPreview(this.part('preview'));
    this.#watchKeys();
    this.#watchDrag();
    // The feed below must not take a movement here for its own.
    for (const name of ['pointerdown', 'wheel']) root.addEventListener(name, (event) => event.stopPropagation());
    this.#ticker = setInterval(() => this.#showLine(), TICK_MS);
  }

  part(name) {
    return this.root.querySelector(`[data-part=${name}]`);
  }

  /** Another tab has the upload. */
  showElsewhere(isElsewhere) {
    this.part('elsewhere').hidden = !isElsewhere;
    if (isElsewhere) for (const name of ['choose', 'work', 'done', 'foot']) this.part(name).hidden = true;
  }

  /** The form takes over what an upload was begun with. */
  fill({ caption, tags, visibility, adults }) {
    const form = this.part('form');
    form.caption.value = caption;
    form.tags.value = tags;
    form.visibility.value = visibility;
    form.adults.checked = Boolean(adults);
  }

  show(upload) {
    this.#upload = upload;
    const { screen } = upload;
    const { phase } = screen;
    const trouble = troubleOf(upload);
    const isDone = phase === PHASE.published;
    const waits = phase === PHASE.findingFile;
    const isOpen = phase === PHASE.empty || phase === PHASE.refused || phase === PHASE.cancelled;
    this.root.dataset.phase = Object.keys(PHASE).find((name) => PHASE[name] === phase);
    this.showElsewhere(false);
    this.#showTrouble(waits ? this.#waiting(upload) : trouble, waits);
    this.part('choose').hidden = !isOpen && !waits;
    this.part('pick').textContent = waits ? t('Choose the same file') : trouble ? t('Choose another video') : t('Choose a video');
    this.part('limits').textContent = waits ? '' : limits();
    this.part('work').hidden = isOpen || isDone;
    this.part('done').hidden = !isDone;
    this.part('done-text').textContent = doneText(upload.details.visibility);
    this.part('foot').hidden = isOpen || isDone;
    this.#showTrim(upload);
    this.#showFile(upload);
    this.#showForm(upload);
    this.#showCover(upload);
    this.#showWay(screen);
    if (phase !== this.#phase) this.#enter(phase, upload);
  }

  ask(isAsked) {
    const question = this.part('question');
    question.hidden = !isAsked;
    for (const element of this.root.children) element.inert = isAsked && element !== question;
    if (isAsked) question.querySelector('button').focus();
    else this.root.focus();
  }

  get isAsking() {
    return !this.part('question').hidden;
  }

  notice(text) {
    clearTimeout(this.#noticeTimer);
    this.#say(text, false);
    this.#noticeTimer = setTimeout(() => { this.#say('', true); }, NOTICE_MS);
  }

  free() {
    clearInterval(this.#ticker);
    clearTimeout(this.#noticeTimer);
    this.#leaving.abort();
    this.#preview(null);
    this.#cover?.free?.();
    this.#trimming?.trimmer?.free();
    this.#trimming = null;
    this.root.remove();
  }

  #clicked(tap) {
    if (tap === 'pick') this.part('input').click();
    else if (tap === 'useTrim') this.#on.trimmed(this.#trimming.trimmer.part);
    else if (tap) this.#on[tap]?.();
  }

  #watchForm(form) {
    const read = () => this.#on.described({
      caption: form.caption.value, tags: form.tags.value, visibility: form.visibility.value, adults: form.adults.checked,
    });
    form.addEventListener('input', read);
    form.addEventListener('change', () => this.#on.settled());
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  #watchPreview(video) {
    video.muted = true;
    const { signal } = this.#leaving;
    const shows = (is) => () => this.root.toggleAttribute('data-has-picture', is);
    video.addEventListener('loadeddata', shows(true), { signal });
    video.addEventListener('error', shows(false), { signal });
    video.addEventListener('loadedmetadata', () => this.#showFile(this.#upload), { signal });
    video.addEventListener('click', () => (video.paused ? video.play().catch(() => {}) : video.pause()), { signal });
  }

  /** A file is over the page; dropping it is for the page to hear. */
  #watchDrag() {
    const { signal } = this.#leaving;
    const mark = (is) => this.root.toggleAttribute('data-dragged', is);
    addEventListener('dragover', ({ dataTransfer }) => mark(dataTransfer.types.includes('Files')), { signal });
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget ?? mark(false), { signal });
    addEventListener('drop', () => mark(false), { signal });
  }

  /** Takes all keys, so that none reaches the feed; what is typed stays in its field. */
  #watchKeys() {
    const { signal } = this.#leaving;
    addEventListener('keydown', (event) => {
      if (!this.root.contains(event.target)) event.stopImmediatePropagation();
      if (event.key !== 'Escape' || event.repeat || event.isComposing) return;
      event.stopImmediatePropagation();
      if (this.isAsking) this.ask(false); else this.#on.close();
    }, { capture: true, signal });
  }

  /** Goes where the person is needed next, and says what has changed. */
  #enter(phase, { isPublishRequested }) {
    const before = this.#phase;
    this.#phase = phase;
    const message = spokenOf(phase, isPublishRequested);
    if (message) this.#say(message, true);
    if (phase === PHASE.published) this.part('done').querySelector('h3').focus();
    // Where there is a keyboard; elsewhere it would jump up over the preview.
    else if (before === PHASE.empty && !this.part('work').hidden && matchMedia('(hover: hover)').matches) {
      this.part('form').caption.focus();
    } else if (!this.root.contains(document.activeElement) || document.activeElement?.closest('[hidden]')) this.root.focus();
  }

  /** `isQuiet`: for those who listen; others see it happen. */
  #say(text, isQuiet) {
    const status = this.part('status');
    status.toggleAttribute('data-quiet', isQuiet);
    status.textContent = text;
  }

  #waiting({ name, isOtherFile }) {
    return isOtherFile ? [t('That is another file'), t('What has arrived belongs to {name}. Choose that file, or cancel.', { name })]
      : [t('An upload waits'), t('Choose {name} again, and it goes on where it stopped.', { name })];
  }

  #showTrouble(trouble, isMild) {
    const panel = this.part('trouble');
    panel.hidden = !trouble;
    panel.toggleAttribute('data-mild', isMild);
    const [title = '', sentence = ''] = trouble ?? [];
    // Said again only if it has changed.
    if (panel.querySelector('h3').textContent !== title) panel.querySelector('h3').textContent = title;
    if (panel.querySelector('p').textContent !== sentence) panel.querySelector('p').textContent = sentence;
  }

  #showFile(upload) {
    if (!upload) return;
    const { file, name, screen, isFileKept } = upload;
    if (file !== this.#previewed) this.#preview(file);
    const { duration, videoWidth, videoHeight } = this.part('preview');
    const facts = [sized(file?.size ?? screen.total)];
    if (file && Number.isFinite(duration)) facts.push(lasting(duration * 1000));
    if (file && videoWidth) facts.push(`${videoWidth} × ${videoHeight}`);
    this.part('name').textContent = name;
    this.part('facts').textContent = facts.join(' · ');
    const isOnItsWay = screen.phase < PHASE.complete;
    this.part('note').textContent = !isOnItsWay ? '' : isFileKept
      ? t('You can go on watching meanwhile.') : t('If this page closes, the file has to be chosen again.');
  }

  #preview(file) {
    const video = this.part('preview');
    this.#previewed = file;
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = file && URL.createObjectURL(file);
    this.root.removeAttribute('data-has-picture');
    if (file) {
      video.src = this.#address + FIRST_PICTURE;
    } else {
      video.removeAttribute('src');
      video.load();
    }
  }

  #showTrim({ trim }) {
    if (trim === (this.#trimming?.offer ?? null)) return;
    this.#trimming?.trimmer?.free();
    this.#trimming = trim && { offer: trim };
    this.#showUseTrim();
    if (trim) this.#loadTrimmer(this.#trimming);
  }

  #showUseTrim() {
    this.root.querySelector('[data-action=useTrim]').hidden = !this.#trimming?.trimmer;
  }

  async #loadTrimmer(trimming) {
    try {
      const [{ Trimmer }] = await Promise.all([import('../preparing/trimmer.js'), loadStyles('/app/preparing/trimmer.css')]);
      if (trimming !== this.#trimming) return;
      trimming.trimmer = new Trimmer(trimming.offer);
      this.part('work').prepend(trimming.trimmer.root);
      this.#showUseTrim();
    } catch (error) {
      console.error(error);
      this.notice(t('The trimmer could not be loaded. Cancel, and try again.'));
    }
  }

  #showCover(upload) {
    const { file, clip, details, screen: { phase } } = upload;
    if (phase === PHASE.trimOffered) return;
    if (!file && phase !== PHASE.published && !this.#cover) return;
    // Somebody else's clip of the same bytes keeps its cover.
    if (clip?.is_own === false) {
      this.#cover?.root?.remove();
      return;
    }
    this.#cover ??= this.#loadCover();
    if (!this.#cover.root) return;
    const place = this.part(phase === PHASE.published ? 'cover-done' : 'cover');
    if (this.#cover.root.parentElement !== place) place.append(this.#cover.root);
    this.#cover.show({ file, clip: phase === PHASE.published ? clip?.id : null, ms: details.cover });
  }

  async #loadCover() {
    try {
      const [{ CoverChoice }] = await Promise.all([import('../cover/cover.js'), loadStyles('/app/cover/cover.css')]);
      if (this.#leaving.signal.aborted) return;
      this.#cover = new CoverChoice({
        chosen: (ms) => {
          this.part('preview').currentTime = ms / 1000;
          this.#on.described({ cover: ms });
        },
        settled: () => this.#on.settled(),
      });
      this.#showCover(this.#upload);
    } catch (error) {
      // The first picture is one, too.
      console.warn('no cover can be chosen', error);
    }
  }

  #showForm({ details, isPublishRequested, screen: { phase } }) {
    const left = CAPTION_LENGTH - charactersIn(details.caption.trim());
    const count = this.part('count');
    count.textContent = left <= NEAR_END ? t('{number} left', { number: left })
      : t('{part} of {whole}', { part: CAPTION_LENGTH - left, whole: CAPTION_LENGTH });
    const fits = captionFits(details);
    count.toggleAttribute('data-over', !fits);
    this.part('caption-error').hidden = fits;
    this.part('form').caption.setAttribute('aria-invalid', String(!fits));
    const publish = this.root.querySelector('[data-action=publish]');
    publish.hidden = phase >= PHASE.committing || phase === PHASE.trimOffered;
    publish.disabled = isPublishRequested || !fits;
    publish.textContent = isPublishRequested ? t('Published soon') : t('Publish');
  }

  #showWay(screen) {
    const share = shareOf(screen);
    const bar = this.part('bar');
    bar.firstElementChild.style.transform = `scaleX(${share.toFixed(4)})`;
    bar.setAttribute('aria-valuenow', Math.floor(share * 100));
    for (const [tap, may] of [
      ['pause', screen.canPause], ['resume', screen.canResume], ['retry', screen.canRetry], ['cancel', screen.canCancel],
    ]) {
      const button = this.root.querySelector(`[data-action=${tap}]`);
      const hadFocus = document.activeElement === button;
      button.hidden = !may;
      // What takes its place takes the focus.
      if (!may && hadFocus) this.root.focus();
    }
    this.#showLine();
  }

  #showLine() {
    if (!this.#upload) return;
    const line = lineOf(this.#upload, now());
    if (this.part('line').textContent === line) return;
    this.part('line').textContent = line;
    this.part('bar').setAttribute('aria-valuetext', line);
  }
}
