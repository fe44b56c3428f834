// The way to the inbox: a button with the number of messages that were not read, and what happens when one arrives.
// It refuses to know what is in them.

import { onChanged, signedIn } from '../auth/auth.js';
import { hasWritten } from './known.js';
import { onLive } from '../live/live.js';
import { loadUnread } from '../messages/server.js';

const ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4.5 5h15A1.5 1.5 0 0 1 21 6.5v9a1.5 1.5 0 0 1-1.5 1.5H11l-4.5 3.500V17h-2A1.5 1.5 0 0 1 3 15.500v-9A1.5 1.5 0 0 1 4.5 5z"/></svg><b></b>';
const MOST = 99;

let unread = 0;
let button = null;

/** `bar` shows reactions to the clip on the screen. */
export function attach(bar) {
  if (button) return;
  button = Object.assign(document.createElement('button'), { id: 'inbox', type: 'button', title: 'Messages (i)', innerHTML: ICON });
  button.addEventListener('click', open);
  document.getElementById('person').before(button);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'i' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (event.target.closest?.('textarea, input, [data-no-gestures]')) return;
    event.preventDefault();
    open();
  });
  onLive((event) => {
    if (event.kind === 'reaction') return bar.reacted(event.clip_id, event.reaction);
    if (event.kind !== 'message') return false;
    return arrive(event);
  });
  onChanged((isOther) => { if (isOther) count(); });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) count(); });
  show();
  count();
}

function open() {
  history.pushState({ fromFeed: true }, '', '#messages');
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

// The screen while it is there: `arrived(peer)` is true if the conversation is open, where the message shows by itself.
let screen = null;
export const attachScreen = (there) => { screen = there; };

function arrive({ actor }) {
  if (screen?.arrived(actor?.id)) return true;
  unread += 1;
  show();
  // With the screen open, the list says it.
  return Boolean(screen);
}

/** Asks how many there are now. */
export async function count() {
  if (!signedIn() && !hasWritten()) {
    unread = 0;
  } else {
    try { unread = await loadUnread(); } catch { /* the next look may do better */ }
  }
  show();
}

function show() {
  if (!button) return;
  button.querySelector('b').textContent = unread > MOST ? `${MOST}+` : unread || '';
  button.setAttribute('aria-label', unread ? `Messages, ${unread} unread` : 'Messages');
}
