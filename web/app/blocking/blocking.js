// Blocking somebody, from wherever they are met, and what is asked before. It shows at once; what fails is taken back
// and said.
// It refuses to know what two are kept apart in: the server leaves them out of whatever it answers from then on.

import { request, route } from '../api/api.js';
import { EVENT } from '../core/core.js';
import { loadStyles, takeAway } from '../screens/screens.js';
import { attach as attachSocial } from '../social/social.js';
import { problemText, t } from '../words/words.js';

const DOTS = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12h.01M12 12h.01M19 12h.01"/></svg>';
const QUESTION = `
  <h2 id="blocking-title" dir="auto"></h2>
  <p></p>
  <p class="ways"><button type="button" value=""></button><button type="button" class="grave" value="yes"></button></p>`;

let app = null;
// By author: those on their way to be blocked, or blocked in this page.
const gone = new Set();

export const tell = (author, on) => request(route`/authors/${author}/block`, {
  // A page that is closed meanwhile does not take the wish with it.
  method: on ? 'PUT' : 'DELETE', keepalive: true,
});

/** @param {App} context */
export function attach(context) {
  if (app) return;
  app = context;
  loadStyles('/app/blocking/blocking.css').catch(console.warn);
}

/** The dots beside a name; `label` says what they open. */
export function dots(label, act) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'more', innerHTML: DOTS });
  button.setAttribute('aria-label', label);
  button.setAttribute('aria-haspopup', 'dialog');
  button.addEventListener('click', act);
  return button;
}

/** Asks before something grave is done; true if the person means it. `yes` is what they press then. */
export async function ask(stage, { title, text, yes }) {
  await loadStyles('/app/blocking/blocking.css').catch(console.warn);
  const dialog = document.createElement('dialog');
  dialog.className = 'blocking';
  dialog.dataset.noGestures = '';
  dialog.setAttribute('aria-labelledby', 'blocking-title');
  dialog.append(document.createRange().createContextualFragment(QUESTION));
  dialog.firstElementChild.textContent = title;
  dialog.querySelector('p').textContent = text;
  dialog.querySelector('.ways button').textContent = t('Cancel');
  dialog.querySelector('.grave').textContent = yes;
  // Nothing that is done here is for the feed below.
  for (const event of ['pointerdown', 'wheel', 'keydown']) dialog.addEventListener(event, (e) => e.stopPropagation());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
    else if (target.closest('button')) dialog.close(target.closest('button').value);
  });
  stage.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    dialog.showModal();
  });
}

const isMeant = ({ name }) => ask(app.stage, { title: t('Block {name}?', { name }),
  text: t('Neither of you sees the other’s clips and comments any more, nor follows the other. Nobody is told. You can take it back in your account.'), yes: t('Block') });

/** From the clip on the screen. */
export async function blockInFeed(author) {
  app.report(EVENT.feedLocked, 1);
  const isSure = await isMeant(author);
  app.report(EVENT.feedLocked, 0);
  if (!isSure) return;
  // Away from it at once; its clips go when they are gone for the server too.
  if (app.current()?.author.id === author.id) app.report(EVENT.stepped, 1);
  await block(author);
}

async function block(author) {
  gone.add(author.id);
  app.notice(t('{name} is blocked.', { name: author.name }));
  try {
    await tell(author.id, true);
  } catch (error) {
    gone.delete(author.id);
    app.notice(t('{name} was not blocked. {problem}', { name: author.name, problem: problemText(error) }));
    return false;
  }
  attachSocial(app).then((social) => social.forgetFollow(author)).catch(console.warn);
  takeAway(app, (clip) => clip.author.id === author.id);
  return true;
}

/** Asks whether the person means it, and blocks; true if it is so. `meant()` runs as soon as the person has said so. */
export async function blockAfterAsking(author, meant = () => {}) {
  if (!await isMeant(author)) return false;
  meant();
  return block(author);
}

/** On their way to be blocked, or blocked in this page. */
export const isGone = (author) => gone.has(author?.id);

/** They may be met again: when the feed is loaded the next time, and in comments that are opened. */
export const forgive = (author) => gone.delete(author);
