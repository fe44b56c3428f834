// The elements of the record screen. `data-part` names what is shown, `data-action` what a tap reports.

import { language, plural, t } from '../words/words.js';
import { looks } from './looks.js';

const icon = (path) => `<svg viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`;

const ICONS = {
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  flip: '<path d="M4 11a8 8 0 0 1 13.7-4.7L20 8.500M20 4v4.500h-4.500M20 13a8 8 0 0 1-13.7 4.700L4 15.500M4 20v-4.500h4.5"/>',
  torch: '<path d="M13 2.5 5 13.500h6l-1 8 8-11h-6z"/>',
  speed: '<path d="M4.5 18a9 9 0 1 1 15 0M12 14l4-5"/><circle cx="12" cy="14" r="1.4"/>',
  countdown: '<circle cx="12" cy="13.5" r="7.5"/><path d="M12 9.500v4l2.5 2M9.5 2.500h5"/>',
  looks: '<circle cx="9" cy="9.5" r="5.5"/><circle cx="15" cy="9.5" r="5.5"/><circle cx="12" cy="14.8" r="5.5"/>',
  undo: '<path d="M9 6H20.500v12H9L3 12zM11.5 9.500l5 5m0-5-5 5"/>',
  finish: '<path d="m5 12.5 4.8 4.800L19 7.5"/>',
  upload: '<path d="M12 19V8.500m-4.500 4L12 8l4.500 4.500M5 4.500h14"/>',
  generate: '<path d="M11 4.500 12.800 9.700 18 11.500l-5.200 1.800L11 18.500l-1.800-5.200L4 11.500l5.200-1.800zM18.500 16v4M16.500 18h4"/>',
  post: '<path d="M4.500 12 20 4.500 15 20l-4-6.500z"/>',
  save: '<path d="M12 4v11m-4.5-4.500L12 15l4.5-4.500M5 19.500h14"/>',
};

const tool = (name, label) => `
  <button type="button" data-action="${name}" aria-label="${label}">${icon(ICONS[name])}<span aria-hidden="true">${label}</span></button>`;

const trayTool = (name, label) => `
  <button type="button" data-tray="${name}" aria-expanded="false" aria-controls="tray-${name}" aria-label="${label}">
    ${icon(ICONS[name])}<span data-part="${name}-label" aria-hidden="true">${label}</span></button>`;

const choice = (name, [value, label, spoken]) => `
  <label><input type="radio" name="${name}" value="${value}" aria-label="${spoken ?? label}"><span aria-hidden="true">${label}</span></label>`;

const choices = (name, legend, options) => `
  <fieldset class="choices" data-choice="${name}"><legend class="visually-hidden">${legend}</legend>
    ${options.map((option) => choice(name, option)).join('')}</fieldset>`;

/** 30 → "0.3×". */
export const speedText = (percent) => `${new Intl.NumberFormat(language()).format(percent / 100)}×`;

const lasting = (value, seconds) => [value, t('{seconds} s', { seconds }), plural(seconds, '{count} second', '{count} seconds')];
const limits = () => [15, 30, 60].map((seconds) => lasting(seconds * 1000, seconds));
const speeds = () => [30, 50, 100, 200, 300].map((percent) => [percent, speedText(percent)]);
const countdowns = () => [[0, t('Off::countdown'), t('No countdown')], lasting(3, 3), lasting(10, 10)];

const look = (name, number) => `
  <label><input type="radio" name="look" value="${number}" aria-label="${name}">
    <canvas width="64" height="88" aria-hidden="true"></canvas><span aria-hidden="true">${name}</span></label>`;

export const markup = () => `
  <video data-part="camera" aria-hidden="true" tabindex="-1" muted playsinline></video>
  <canvas data-part="finder" aria-hidden="true"></canvas>
  <video data-part="result" aria-label="${t('Your video')}" loop playsinline hidden></video>
  <div class="shade" aria-hidden="true"></div>
  <p data-part="count" aria-hidden="true" hidden></p>

  <header class="above">
    <div data-part="progress" role="progressbar" aria-label="${t('Recorded')}" aria-valuemin="0"><div data-part="marks"></div><i data-part="growing"></i></div>
    <button type="button" class="round" data-action="close" aria-label="${t('Close')}" title="${t('Close (Esc)')}">${icon(ICONS.close)}</button>
    <p data-part="length" aria-hidden="true"></p>
  </header>
  <p class="pill" data-part="status" role="status"></p>

  <div class="tools" role="group" aria-label="${t('Camera')}">
    ${trayTool('speed', t('Speed::recording'))}${trayTool('countdown', t('Timer'))}${trayTool('looks', t('Looks'))}
    ${tool('upload', t('Upload'))}${tool('generate', t('Generate'))}${tool('flip', t('Flip'))}${tool('torch', t('Light'))}
  </div>

  <div class="below">
    <div class="tray" id="tray-speed" hidden>${choices('speed', t('Speed::recording'), speeds())}</div>
    <div class="tray" id="tray-countdown" hidden>${choices('countdown', t('Countdown'), countdowns())}</div>
    <div class="tray" id="tray-looks" hidden>
      <label class="strength"><span>${t('Strength')}</span><input type="range" name="strength" min="0" max="100"><output></output></label>
      <fieldset class="looks"><legend class="visually-hidden">${t('Look::noun')}</legend>${looks().map(look).join('')}</fieldset>
    </div>
    <div class="row">
      <button type="button" class="round" data-action="undo" aria-label="${t('Undo the last clip')}">${icon(ICONS.undo)}</button>
      <button type="button" data-part="shutter" aria-label="${t('Record')}"><i></i></button>
      <button type="button" class="round" data-action="finish" aria-label="${t('Finish')}">${icon(ICONS.finish)}</button>
    </div>
    ${choices('limit', t('Longest video'), limits())}
  </div>

  <section class="making" aria-label="${t('Making your video')}" hidden>
    <p>${t('Making your video…')} <b data-part="share"></b></p>
    <progress max="1" value="0" aria-label="${t('Making your video')}"></progress>
    <p class="hint">${t('It takes as long as the video lasts. Keep this page open.')}</p>
    <button type="button" data-action="cancel">${t('Cancel')}</button>
  </section>

  <section class="ready" aria-label="${t('Your video')}" hidden>
    <p>${t('Your video is ready. Post it, or save it on this device.')}</p>
    <button type="button" class="main" data-action="post">${icon(ICONS.post)}${t('Post')}</button>
    <div><button type="button" data-action="save">${t('Save video')}</button><button type="button" data-action="more">${t('Record more')}</button><button type="button" data-action="discard">${t('Discard')}</button></div>
  </section>

  <section class="panel" data-part="obstacle" role="alert" hidden>
    <h2></h2><p></p><button type="button" class="main" data-action="retry">${t('Try again')}</button>
  </section>

  <section class="panel" data-part="question" role="alertdialog" aria-modal="true" aria-labelledby="studio-ask" hidden>
    <h2 id="studio-ask">${t('Keep your clips?')}</h2>
    <p>${t('They can wait here, on this device, until you open the camera again.')}</p>
    <button type="button" class="main" data-action="keep">${t('Keep clips')}</button>
    <button type="button" data-action="drop">${t('Discard clips')}</button>
    <button type="button" data-action="stay">${t('Stay here')}</button>
  </section>`;
