// What can be done with the clip on the screen beside what its own buttons do: its link, its speed, its captions, why it is shown,
// keeping it away, reporting it or, for whoever uploaded it, changing it.

import { blockInFeed } from '../blocking/blocking.js';
import { copy, linkTo, uploadOf } from '../clip-link/clip.js';
import { EVENT } from '../core/core.js';
import { goTo } from '../screens/screens.js';
import { attach as attachSocial } from '../social/social.js';
import { t } from '../words/words.js';
import { ownership } from './ownership.js';
import { el, openSheet } from './sheet.js';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];

// Of all clips until the page is loaded again.
let speed = 1;

/** Opens it; answers once it is closed and what was chosen has begun. */
export async function show(app) {
  const clip = app.current();
  const [captions, social, keeping] = await Promise.all([captionsOf(clip), attachSocial(app), keepingOf(app, clip)]);
  const isPrivate = clip.visibility === 'private';
  const pip = document.getElementById('pip');
  const isSaved = social.holds('bookmark', clip);
  await openSheet(app, t('Clip by {name}', { name: clip.author.name }), (item) => {
    const rest = el('div');
    // What only its owner may, and what only others: as soon as it is known which of them this is.
    ownership(clip).then((own) => {
      if (own === 'own') {
        rest.append(item(t('How it does'), () => goTo(`#insights/${encodeURIComponent(clip.id)}`)),
          item(t('Download'), () => download(clip)), item(t('Edit or delete'), () => goTo('#account/clips')));
      } else if (own === 'other') {
        const block = clip.author.id && (() => blockInFeed(clip.author));
        rest.append(item(t('Not interested'), async () => (await import('../taste/why.js')).notInterested(app, clip)),
          item(t('Report'), async () => (await import('../report/report.js')).openReport({ kind: 'clip', id: clip.id },
            { app, block, hold: (on) => app.report(EVENT.feedLocked, on ? 1 : 0) }), true));
        if (block) rest.append(item(t('Block {name}', { name: clip.author.name }), block, true));
      }
    });
    return [
      (!isPrivate || uploadOf(clip.id)) && item(t('Copy link'), async () => {
        await copy(linkTo(clip.id, isPrivate));
        app.notice(isPrivate ? t('The link is copied. Whoever has it sees the clip.') : t('The link is copied.'));
      }),
      !isPrivate && item(isSaved ? t('Remove from bookmarks') : t('Save to bookmarks'), () => social.act('bookmark')),
      keeping && item(...keeping),
      choice(t('Speed'), SPEEDS.map((value) => [String(value), t('{speed}×', { speed: value })]), String(speed), (value) => play(app, Number(value))),
      captions,
      pip && item(t('Picture in picture'), () => pip.click()),
      !isPrivate && item(t('More like this'), () => goTo(`#similar/${encodeURIComponent(clip.id)}`)),
      item(t('Why this clip?'), async () => (await import('../taste/why.js')).show(app, clip)),
      rest,
    ];
  });
}

/** What is not for everybody does not stay behind on the device. */
async function keepingOf(app, clip) {
  if (clip.visibility) return null;
  try {
    const { canKeep, keepClip, letGo, recordOf, shareOf, stop } = await import('../offline/keeping.js');
    if (!canKeep) return null;
    const share = shareOf(clip.id);
    if (share !== undefined) return [t('Stop keeping ({percent} %)', { percent: Math.floor(share * 100) }), () => stop(clip.id)];
    const record = await recordOf(clip.id);
    if (record?.isWhole) return [t('Remove from this device'), () => letGo(app, record)];
    return [t('Keep on this device'), () => {
      app.notice(t('Keeping this clip. Kept clips are in your account.'));
      keepClip(app, clip);
    }];
  } catch (error) {
    console.warn('keeping', error);
    return null;
  }
}

/** `options`: pairs of a value and its words. */
function choice(title, options, chosen, choose) {
  const field = el('fieldset', {}, el('legend', {}, title));
  for (const [value, words] of options) {
    field.append(el('label', {}, el('input', {
      type: 'radio', name: `menu-${title}`, value, checked: value === chosen, onchange: () => choose(value),
    }), el('span', {}, words)));
  }
  return field;
}

async function captionsOf(clip) {
  if (!clip.captions?.length) return null;
  const { captionChoice, chooseCaptions } = await import('../captions/captions.js');
  const { tracks, language } = captionChoice() ?? {};
  return tracks && choice(t('Captions'), [['', t('Off::captions')], ...tracks.map((track) => [track.language, track.label])], language ?? '',
    (value) => chooseCaptions(value || null));
}

/** NB: of the element and of whatever it loads next, which begins at its default. */
function play({ stage }, rate) {
  speed = rate;
  for (const video of stage.querySelectorAll('#track video')) video.defaultPlaybackRate = video.playbackRate = rate;
}

/** Only one's own: what others permit nobody has asked them yet. The best there is, picture and sound in one file. */
function download({ id, renditions }) {
  const link = el('a', { href: renditions.at(-1).url, download: `clip-${id}.mp4` });
  document.body.append(link);
  link.click();
  link.remove();
}
