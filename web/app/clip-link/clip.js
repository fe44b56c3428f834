// A clip by its own address: where it is asked for, where people find it, and what to do when the addresses of its
// media are over. Comes when one of these is needed, never before the feed.

import { REASON } from '../core/core.js';

// Uploads are named by so many hex digits; what else stands behind the `#` is a screen's.
export const SECRET = /^#[0-9a-f]{32}$/;

const PATIENCE_MS = 15_000;
// The server's words for a clip, or an upload, that is not there for whoever asks. What something in between refuses says nothing of it.
const GONE = ['clip_not_found', 'author_blocked', 'clip_for_adults', 'upload_not_found', 'upload_expired'];

// By clip: the upload that it was made of, where this page knows it. That is a secret: whoever has it owns the clip.
const uploads = new Map();

export const remember = (clip, upload) => uploads.set(clip, upload);
export const uploadOf = (clip) => uploads.get(clip);
// What the page's own address named belongs to whoever has the address.
let arrived = null;
export const arriveAt = (clip) => { arrived = clip; };
export const isArrivedAt = (clip) => clip === arrived;
/** They were an account's that has left. */
export const forgetUploads = () => { for (const clip of uploads.keys()) if (!isArrivedAt(clip)) uploads.delete(clip); };

const placeOf = (clip) => (uploads.has(clip)
  ? `/api/v1/uploads/${encodeURIComponent(uploads.get(clip))}/clip` : `/api/v1/clips/${encodeURIComponent(clip)}`);

/** Where anybody finds a clip, and a `comment` of it; with its secret, which no server is told, also one that is private. */
export const linkTo = (clip, isPrivate, comment) => {
  const secret = isPrivate && uploads.has(clip) ? `#${uploads.get(clip)}` : '';
  const query = comment ? `?comment=${encodeURIComponent(comment)}` : '';
  return `${location.origin}/c/${encodeURIComponent(clip)}${query}${secret}`;
};

/** The clip as the server tells it now; an error's `reason` is the core's. NB: no signal on what the page preloads, as in `loadPage`. */
export async function loadClip(id, signal = AbortSignal.timeout(PATIENCE_MS)) {
  try {
    const response = await fetch(placeOf(id), { signal });
    if (response.ok) return await response.json();
    const { code } = await response.json().catch(() => null) ?? {};
    throw Object.assign(new Error(code ?? response.status), { status: response.status, reason: GONE.includes(code) ? REASON.gone : REASON.network });
  } catch (error) {
    error.reason ??= REASON.network;
    throw error;
  }
}

const fileOf = (url) => url.slice(url.lastIndexOf('/') + 1);

/** The same files at the addresses that hold now. A file's name is that of its content, so it is known again. */
export function readdress(clip, { poster, playback }) {
  const urls = new Map(playback.renditions.map(({ url }) => [fileOf(url), url]));
  for (const rendition of clip.renditions) rendition.url = urls.get(fileOf(rendition.url)) ?? rendition.url;
  // NB: the same objects, one of which may be on the screen.
  for (const track of clip.captions ?? []) Object.assign(track, playback.captions?.find(({ language }) => language === track.language));
  clip.hls = playback.hls_url;
  clip.poster = poster;
}

export const renew = async (clip) => readdress(clip, await loadClip(clip.id));

/** Where a page may not write to the clipboard by itself (without TLS), it does as a person would. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
    const focused = document.activeElement;
    (document.querySelector('[aria-modal]') ?? document.body).append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
    focused?.focus();
  }
}

/** Hands the clip's address on, as this device does; true if it was. */
export async function share({ id, caption, visibility }, notice) {
  // NB: at a clip's own address this module comes before the first clip, the words do not.
  const { t } = await import('../words/words.js');
  if (visibility === 'private') {
    notice(t('Only you can see this clip.'));
    return false;
  }
  const url = linkTo(id);
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ title: caption || document.title, url });
      return true;
    } catch (error) {
      if (error.name === 'AbortError') return false;
    }
  }
  await copy(url);
  notice(t('The link is copied.'));
  return true;
}
