// The elements of the upload screen. `data-part` names what is shown, `data-action` what a tap reports.

import { t } from '../words/words.js';

const icon = (path) => `<svg viewBox="0 0 24 24" aria-hidden="true">${path}</svg>`;

const ICONS = {
  close: '<path d="m6 6 12 12M18 6 6 18"/>',
  film: '<rect x="3.500" y="5" width="17" height="14" rx="3"/><path d="m10.500 9.500 4 2.500-4 2.500z"/>',
  choose: '<path d="M12 16V5.500m-4.500 4L12 5l4.500 4.500M5 15v2.500a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V15"/>',
  done: '<path d="m5 12.500 4.800 4.800L19 7.500"/>',
};

export const ACCEPT = 'video/*,.mkv,.ts,.m2ts,.mts';

export const markup = () => `
  <header class="head">
    <button type="button" class="round" data-action="close" aria-label="${t('Close')}" title="${t('Close (Esc)')}">${icon(ICONS.close)}</button>
    <h2>${t('New clip')}</h2>
  </header>
  <p class="pill" data-part="status" role="status"></p>
  <input type="file" accept="${ACCEPT}" data-part="input" aria-label="${t('Video file')}" tabindex="-1" hidden>

  <div class="middle">
    <section class="trouble" data-part="trouble" role="alert" hidden><h3></h3><p></p></section>

    <section class="choose" data-part="choose" aria-label="${t('Choose a video')}">
      <button type="button" class="drop" data-action="pick">${icon(ICONS.choose)}<b data-part="pick">${t('Choose a video')}</b>
        <span class="for-mice">${t('or drop one anywhere on this page')}</span></button>
      <p class="hint" data-part="limits"></p>
      <button type="button" class="words" data-action="generate">${t('Or have one made from words')}</button>
    </section>

    <section class="work" data-part="work" aria-label="${t('Your clip')}" hidden>
      <div class="file">
        <div class="preview">${icon(ICONS.film)}<video data-part="preview" aria-label="${t('Preview')}" muted playsinline loop preload="metadata" tabindex="-1"></video></div>
        <div class="facts"><strong data-part="name" dir="auto"></strong><span data-part="facts"></span><span class="hint" data-part="note"></span></div>
      </div>
      <form data-part="form" novalidate>
        <label class="field"><span>${t('Caption')} <span id="uploader-count" data-part="count" aria-hidden="true"></span></span>
          <textarea name="caption" rows="3" dir="auto" placeholder="${t('Say something about it')}" aria-describedby="uploader-count uploader-caption-error"></textarea></label>
        <p class="error" id="uploader-caption-error" data-part="caption-error" role="alert" hidden>${t('The caption is too long. It has 300 characters at most.')}</p>
        <label class="field"><span>${t('Tags')}</span>
          <input name="tags" type="text" dir="auto" autocomplete="off" autocapitalize="none" placeholder="${t('dawn, harbour, bicycle')}"></label>
        <div data-part="cover"></div>
        <fieldset class="seen-by"><legend>${t('Who can see it')}</legend>
          <label><input type="radio" name="visibility" value="public" checked><span><b>${t('Everyone')}</b> ${t('in the feed')}</span></label>
          <label><input type="radio" name="visibility" value="unlisted"><span><b>${t('Unlisted')}</b> ${t('anyone with the link')}</span></label>
          <label><input type="radio" name="visibility" value="private"><span><b>${t('Private')}</b> ${t('only you')}</span></label>
        </fieldset>
        <fieldset class="seen-by"><legend>${t('Who it is for')}</legend>
          <label><input type="checkbox" name="adults"><span><b>${t('Adults')}</b> ${t('hidden in restricted mode')}</span></label>
        </fieldset>
      </form>
    </section>

    <section class="done" data-part="done" hidden>
      <div class="tick">${icon(ICONS.done)}</div><h3 tabindex="-1">${t('Published')}</h3><p data-part="done-text"></p><div data-part="cover-done"></div>
      <button type="button" class="main" data-action="watch">${t('Watch it')}</button>
      <button type="button" data-action="copyLink">${t('Copy link')}</button>
      <button type="button" data-action="again">${t('Upload another')}</button>
    </section>

    <section class="done" data-part="elsewhere" hidden>
      <h3>${t('Uploading in another tab')}</h3><p>${t('One upload at a time: go on there. When that tab is closed, this one takes over.')}</p>
    </section>
  </div>

  <footer class="foot" data-part="foot" hidden>
    <div data-part="bar" role="progressbar" aria-label="${t('Upload::noun')}" aria-valuemin="0" aria-valuemax="100"><i></i></div>
    <p data-part="line"></p>
    <div class="acts">
      <button type="button" data-action="cancel">${t('Cancel')}</button><button type="button" data-action="pause">${t('Pause')}</button>
      <button type="button" data-action="resume">${t('Resume')}</button><button type="button" data-action="retry">${t('Try again')}</button>
      <button type="button" class="main" data-action="useTrim" hidden>${t('Use this part')}</button>
      <button type="button" class="main" data-action="publish">${t('Publish')}</button>
    </div>
  </footer>

  <section class="panel" data-part="question" role="alertdialog" aria-modal="true" aria-labelledby="uploader-ask" hidden>
    <h2 id="uploader-ask">${t('Cancel this upload?')}</h2>
    <p>${t('What has arrived is thrown away. The file on your device stays.')}</p>
    <button type="button" class="main" data-action="stay">${t('Keep uploading')}</button>
    <button type="button" data-action="drop">${t('Cancel the upload')}</button>
  </section>`;
