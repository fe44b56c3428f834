// What others do with somebody's clips and what they write, as notices while it happens (docs/design/live.md). One connection, and only while
// the page is looked at: a browser has six to a server, and the clips need them.
// It refuses to know how events come to be.

import { addressOf, freshen } from '../api/api.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { hasWritten } from '../inbox/known.js';

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
    const names = [...new Set(all.map(({ actor }) => actor?.name ?? 'Somebody'))];
    if (all.length === 1) return names[0];
    return names.length === 2 && all.length === 2 ? `${names[0]} and ${names[1]}` : `${names[0]} and ${all.length - 1} more`;
  };
  const say = (all, one, many) => (all.length ? `${who(all)} ${all.length === 1 ? one : many}.` : '');
  return [
    say(of('like'), 'likes your clip', 'like your clips'), say(of('follow'), 'follows you', 'follow you'),
    say(of('reaction'), 'reacted to your clip', 'reacted to your clips'),
    say(of('message'), 'sent you a message', 'sent you messages'),
    say(of('comment'), 'commented on your clip', 'commented on your clips'),
    say(of('reply'), 'replied to your comment', 'replied to your comments'),
    say(of('mention'), 'mentioned you', 'mentioned you'),
  ].filter(Boolean).join(' ');
}

const KINDS = ['like', 'follow', 'message', 'reaction', 'comment', 'reply', 'mention', 'notification'];
const listeners = new Set();
let restart = () => {};

/** `listener(event)` runs for each event, and is true if it shows it by itself: then it is no notice. */
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
  if (isWaited()) import('../generation/arrivals.js').then(({ watch }) => watch(notice)).catch(console.warn);
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
