// What others do with somebody's clips and what they write, as notices while it happens (docs/design/live.md). One connection, and only while
// the page is looked at: a browser has six to a server, and the clips need them.
// It refuses to know how events come to be.

import { addressOf, freshen } from '../api/api.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { hasWritten } from '../inbox/known.js';
import { loadWords, plural, t } from '../words/words.js';

// Events that come together are one notice.
const GATHER_MS = 800;
// By how many ids the same event is known when it comes again after a cut.
const REMEMBERED = 200;
// After an answer that is no stream.
const AGAIN_MS = 60_000;

/** One sentence for events of one moment, `{kind, actor?}`. */
export function sentenceOf(events) {
  const of = (kind) => events.filter((event) => event.kind === kind);
  const who = (all) => {
    const [name, other, third] = new Set(all.map(({ actor }) => actor?.name ?? t('Somebody')));
    if (all.length === 1) return name;
    return other && !third && all.length === 2 ? t('{name} and {other}', { name, other })
      : plural(all.length - 1, '{name} and {count} more', '{name} and {count} more', { name });
  };
  const say = (all, one, many) => (all.length ? (all.length === 1 ? one : many)({ people: who(all) }) : '');
  return [
    say(of('like'), (by) => t('{people} likes your clip.', by), (by) => t('{people} like your clips.', by)),
    say(of('follow'), (by) => t('{people} follows you.', by), (by) => t('{people} follow you.', by)),
    say(of('reaction'), (by) => t('{people} reacted to your clip.', by), (by) => t('{people} reacted to your clips.', by)),
    say(of('message'), (by) => t('{people} sent you a message.', by), (by) => t('{people} sent you messages.', by)),
    say(of('comment'), (by) => t('{people} commented on your clip.', by), (by) => t('{people} commented on your clips.', by)),
    say(of('reply'), (by) => t('{people} replied to your comment.', by), (by) => t('{people} replied to your comments.', by)),
    say(of('mention'), (by) => t('{people} mentioned you.', by), (by) => t('{people} mentioned you.', by)),
  ].filter(Boolean).join(' ');
}

const KINDS = ['like', 'follow', 'message', 'reaction', 'comment', 'reply', 'mention', 'notification'];
const listeners = new Set();
let restart = () => {};

/** `listener(event)` runs for each event, and is true if it shows it by itself: then it is no notice. Of kind `reset`, it says that
 *  some may be missing. */
export const onLive = (listener) => listeners.add(listener);

/** There may be something to hear now. */
export const listenAgain = () => restart();

/** Somebody here waits for a clip from words. */
function isWaited() {
  try { return localStorage.getItem('clipfeed.generating') !== null; } catch { return false; }
}

let isListening = false;

/** `notice(text)` says it to the person. */
export function listen(notice) {
  if (isListening) return;
  isListening = true;
  if (isWaited()) loadWords('screens').then(() => import('../generation/arrivals.js')).then(({ watch }) => watch(notice)).catch(console.warn);
  let stream = null;
  let timer = 0;
  let turn = 0;
  const gathered = [];
  const known = new Set();

  function take({ data }) {
    let event;
    try { event = JSON.parse(data); } catch { return; }
    if (known.has(event.id)) return;
    known.add(event.id);
    if (known.size > REMEMBERED) known.delete(known.values().next().value);
    if ([...listeners].map((listener) => listener(event)).some(Boolean)) return;
    if (!gathered.length) setTimeout(tell, GATHER_MS);
    gathered.push(event);
  }

  function tell() {
    const sentence = sentenceOf(gathered.splice(0));
    if (sentence) notice(sentence);
  }

  function stop() {
    turn += 1;
    clearTimeout(timer);
    stream?.close();
    stream = null;
  }

  async function start() {
    stop();
    const mine = turn;
    // A guest hears of answers only.
    const isWanted = () => signedIn() || hasWritten();
    if (document.hidden || !isWanted()) return;
    await freshen();
    // Hidden, or signed out, meanwhile.
    if (mine !== turn || !isWanted()) return;
    stream = new EventSource(addressOf('/live'));
    for (const kind of KINDS) stream.addEventListener(kind, take);
    stream.addEventListener('reset', () => listeners.forEach((listener) => listener({ kind: 'reset' })));
    stream.addEventListener('error', () => {
      // It comes back from a cut by itself, and from a refusal not at all: the token may be over.
      if (stream?.readyState === EventSource.CLOSED) timer = setTimeout(start, AGAIN_MS);
    });
  }

  restart = () => { if (!stream) start(); };
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start()));
  onChanged((isOther) => { if (isOther) start(); });
  start();
}
