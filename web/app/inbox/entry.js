// The way to the inbox: a button with the number of messages that were not read and of notifications that were not seen, and what
// happens when one arrives. It refuses to know what is in them.

import { onChanged, signedIn } from '../auth/auth.js';
import { addToHead } from '../feed/head.js';
import { loadWords, plural, t } from '../words/words.js';
import { hasWritten } from './known.js';
import { onLive } from '../live/live.js';
import { loadUnread } from '../messages/server.js';
import { isOfList, loadUnseen } from '../notifications/badge.js';

const ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4.5 5h15A1.5 1.5 0 0 1 21 6.5v9a1.5 1.5 0 0 1-1.5 1.5H11l-4.5 3.500V17h-2A1.5 1.5 0 0 1 3 15.500v-9A1.5 1.5 0 0 1 4.5 5z"/></svg><b></b>';
const MOST = 99;

let unread = 0;
let unseen = 0;
let button = null;

/** How much is new. */
export const news = () => ({ unread, unseen });

/** `bar` shows reactions to the clip on the screen. */
export function attach(bar) {
  if (button) return;
  button = Object.assign(document.createElement('button'), { id: 'inbox', type: 'button', title: t('Messages (i)'), innerHTML: ICON });
  button.addEventListener('click', open);
  addToHead(button);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'i' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (event.target.closest?.('textarea, input, [data-no-gestures]')) return;
    event.preventDefault();
    open();
  });
  onLive((event) => {
    if (event.kind === 'reset') return count();
    if (event.kind === 'reaction') return bar.reacted(event.clip_id, event.reaction);
    if (event.kind === 'message') return arrive(event);
    if (!isOfList(event)) return false;
    countUnseen();
    // Nobody did what only the list tells of.
    return Boolean(list?.arrived()) || event.kind === 'notification';
  });
  onChanged((isOther) => { if (isOther) count(); });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) count(); });
  show();
  count();
  // Whoever is told while the page is closed is registered anew.
  if (isRegistered()) loadWords('screens').then(() => import('../notifications/device.js')).then(({ watch }) => watch()).catch(console.warn);
}

function isRegistered() {
  try { return localStorage.getItem('clipfeed.push') !== null; } catch { return false; }
}

function open() {
  history.pushState({ fromFeed: true }, '', unseen && !unread ? '#notifications' : '#messages');
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

// The screen while it is there: `arrived(peer)` is true if the conversation is open, where the message shows by itself.
let screen = null;
export const attachScreen = (there) => { screen = there; };

// The list of notifications while it is there: `arrived()` is true if it shows by itself what happened.
let list = null;
export const attachList = (there) => { list = there; };

function arrive({ actor }) {
  if (screen?.arrived(actor?.id)) return true;
  unread += 1;
  show();
  // With the screen open, the list says it.
  return Boolean(screen);
}

/** An answer to an earlier question may come last, and is none. */
function latest(ask) {
  let last;
  return async () => {
    const mine = ask();
    last = mine;
    const answer = await mine;
    return mine === last ? answer : null;
  };
}

const askUnseen = latest(loadUnseen);
// Where it fails, the next look may do better.
const askUnread = latest(async () => (signedIn() || hasWritten() ? loadUnread().catch(() => null) : 0));

async function countUnseen() {
  unseen = await askUnseen() ?? unseen;
  show();
}

/** Asks how many there are now. */
export async function count() {
  countUnseen();
  unread = await askUnread() ?? unread;
  show();
}

function show() {
  if (!button) return;
  const all = unread + unseen;
  button.querySelector('b').textContent = all > MOST ? `${MOST}+` : all || '';
  button.setAttribute('aria-label', [t('Messages'), unread && plural(unread, '{count} unread', '{count} unread'),
    unseen && plural(unseen, '{count} new notification', '{count} new notifications')].filter(Boolean).join(', '));
}
