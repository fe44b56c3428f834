// Reporting a clip, a comment, a message or a person to the moderators: why, what else there is to know, and what happens next.
// It refuses to know what a moderator does about it, and where the thing was met.

import { el } from '../account/form.js';
import { request } from '../api/api.js';
import { goTo, loadStyles } from '../screens/screens.js';
import { Sending, whyOf } from './sending.js';
import { Statement } from './statement.js';
import { REASONS } from './words.js';
import { t } from '../words/words.js';

const nextText = () => t('Moderators look at it. Whoever it is about is not told who reported it.');
const PRESSING = new Set(['minors', 'self_harm', 'violence']);

/** `subject`: `kind`, `id`, `name` of a person; `on`: the `app`; `hold(isOpen)` of a feed that is seen below; `block()`, which asks
 *  before it blocks whoever it is about; `toList()` leads to what was reported. Answers once it is closed, and what was chosen has
 *  begun. */
export async function openReport({ kind, id, name }, { app, hold = () => {}, block = null, toList = () => goTo('#account/reports') }) {
  await loadStyles('/app/report/report.css');
  const dialog = el('dialog', { id: 'report', 'aria-labelledby': 'report-title', 'data-no-gestures': '' });
  let after = null;
  const leave = (act = null) => {
    after = act;
    dialog.close();
  };
  const note = new Statement({ place: `${kind} ${id}`, label: t('What else should moderators know?'), isOptional: true });
  const sending = new Sending({
    label: t('Report'), submit: t('Send'), busy: t('Sending…'), beside: el('button', { type: 'button', class: 'plain', click: () => leave() }, t('Cancel')),
    check: () => {
      if (chosen()) return note.check();
      sending.fail(t('Please choose why.'));
      return false;
    },
    send: async () => {
      try {
        await request('/reports', { method: 'POST', keepalive: true, body: {
          kind, subject_id: id, reason: chosen(), ...(note.text && { note: note.text }) } });
      } catch (error) {
        // Whoever has closed it hears of it where they are.
        if (!dialog.isConnected) app.notice(t('Your report was not sent. {problem}', { problem: whyOf(error) }));
        throw error;
      }
      note.settle();
      if (dialog.isConnected) thank(); else app.notice(t('Your report is sent.'));
    },
  }, el('p', { class: 'hint' }, nextText()), reasons(), note.root);
  const chosen = () => sending.root.querySelector(':checked')?.value;
  const title = el('h2', { id: 'report-title', tabindex: '-1' }, ...titleOf(kind, name));
  const thank = () => {
    title.textContent = t('Thank you');
    sending.root.replaceWith(el('div', { class: 'thanks' },
      el('p', {}, nextText(), ' ', t('What became of it stands in your account, under “Your reports”.')),
      block ? el('button', { type: 'button', class: 'plain', click: () => leave(block) }, t('Block this person')) : '',
      el('button', { type: 'button', class: 'plain', click: () => leave(toList) }, t('Your reports')),
      el('button', { type: 'button', class: 'main', click: () => leave() }, t('Done'))));
    title.focus();
  };
  dialog.append(title, sending.root);
  await shown(dialog, { app, hold });
  note.store();
  await after?.();
}

function titleOf(kind, name) {
  switch (kind) {
    case 'clip': return [t('Report the clip')];
    case 'comment': return [t('Report the comment')];
    case 'message': return [t('Report the message')];
    default: {
      const [before, after] = t('Report {name}').split('{name}');
      return [before, el('bdi', {}, name), after];
    }
  }
}

function reasons() {
  const pressing = el('p', { class: 'pressing', role: 'status' });
  return el('fieldset', { change: ({ target }) => {
    pressing.textContent = PRESSING.has(target.value) ? t('If somebody is in danger right now, call the emergency services first.') : '';
  } }, el('legend', {}, t('What is wrong?')), ...Object.entries(REASONS).map(([value, { title, hint }]) => el('label', {},
    el('input', { type: 'radio', name: 'report-reason', value }),
    el('span', {}, el('b', {}, title), hint ? el('small', {}, hint) : ''))), pressing);
}

/** Until it is closed. */
async function shown(dialog, { app, hold }) {
  // Nothing that is done here is for what lies below.
  for (const kind of ['pointerdown', 'wheel', 'contextmenu']) dialog.addEventListener(kind, (event) => event.stopPropagation());
  dialog.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key !== 'Escape' || event.isComposing) return;
    // The browser would close it later, and a key in between is meant for the feed.
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('click', ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    if (target === dialog && (x < left || x > right || y < top || y > bottom)) dialog.close();
  });
  const ended = new AbortController();
  // Whoever goes back leaves what it was opened from.
  addEventListener('popstate', () => dialog.close(), { signal: ended.signal });
  app.stage.append(dialog);
  hold(true);
  await new Promise((closed) => {
    dialog.addEventListener('close', closed, { once: true });
    dialog.showModal();
    dialog.firstElementChild.focus();
  });
  ended.abort();
  dialog.remove();
  hold(false);
}
