// Whether this browser is told while the page is not open: its subscription at its push service, and the server that knows of it.
// It refuses to know what is told. Nobody is asked before a tap.

import { request, route } from '../api/api.js';
import { onChanged, signedIn } from '../auth/auth.js';
import { start } from '../offline/register.js';
import { goTo } from '../screens/screens.js';
import { language, t } from '../words/words.js';

// `{account, id}`: for whom this browser was registered, and as which device. No secret.
const KEY = 'clipfeed.push';

const isAble = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

function kept() {
  try { return JSON.parse(localStorage.getItem(KEY)); } catch { return null; }
}

function keep(device) {
  try {
    if (device) localStorage.setItem(KEY, JSON.stringify(device)); else localStorage.removeItem(KEY);
  } catch { /* storage may be off */ }
}

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const isSame = (buffer, key) => buffer && String(new Uint8Array(buffer)) === String(key);

async function subscription() {
  const worker = await navigator.serviceWorker.getRegistration('/');
  return worker?.pushManager.getSubscription() ?? null;
}

/** `unable` (the browser), `off` (the server), `refused` (the person, in the browser), `on` or `ready`. */
export async function state() {
  if (!isAble()) return 'unable';
  const { web_key: key, items } = await request('/account/devices');
  if (!key) return 'off';
  if (Notification.permission === 'denied') return 'refused';
  const own = kept();
  const isOn = own?.account === signedIn()?.id && items.some(({ id }) => id === own?.id);
  return isOn && Notification.permission === 'granted' && await subscription() ? 'on' : 'ready';
}

/** After a tap. Answers the state behind it. */
export async function turnOn() {
  watch();
  // NB: first of all, or some browsers take it for no answer to a tap.
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'refused' : 'ready';
  await register();
  return 'on';
}

async function register() {
  const { web_key: key } = await request('/account/devices');
  if (!key) throw Object.assign(new Error('off'), { detail: t('This server sends no notifications.') });
  await start();
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = bytesOf(key);
  let own = await pushManager.getSubscription();
  // It was made for another server, which alone can write to it.
  if (own && !isSame(own.options.applicationServerKey, applicationServerKey)) {
    await own.unsubscribe();
    own = null;
  }
  own ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint, keys: { p256dh, auth } } = own.toJSON();
  const { id } = await request('/account/web-devices', { method: 'POST', body: { endpoint, keys: { p256dh, auth }, locale: language() === 'en' ? navigator.language : language() } });
  keep({ account: signedIn()?.id, id });
}

export async function turnOff() {
  const own = kept();
  keep(null);
  // The browser first: whatever the server says, nothing comes any more.
  await (await subscription())?.unsubscribe();
  if (!own) return;
  await request(route`/account/devices/${own.id}`, { method: 'DELETE' }).catch((error) => {
    if (error.status !== 404) throw error;
  });
}

let isWatching = false;

/** With the page: whoever has switched it on is registered anew, as the server forgets a device in time and with its session; and what
 *  was tapped is opened here. */
export function watch() {
  if (isWatching || !isAble()) return;
  isWatching = true;
  const renew = () => {
    if (kept() && kept().account === signedIn()?.id && Notification.permission === 'granted') register().catch(console.warn);
  };
  onChanged(renew);
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data?.kind === 'subscribe') renew();
    if (data?.kind === 'open') follow(data.url);
  });
  renew();
}

function follow(url) {
  const place = new URL(url, location.origin);
  if (place.origin !== location.origin) return;
  if (place.pathname === '/' && place.hash) goTo(place.hash); else location.assign(place.href);
}
