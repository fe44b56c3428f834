// The second step of signing in, where an account asks for one: a code of an app, or one for whoever has lost it.

import { el, Form } from '../account/form.js';
import { enter } from '../auth/entering.js';
import { t } from '../words/words.js';

const appField = () => ({ name: 'code', label: t('Code'), autocomplete: 'one-time-code', inputmode: 'numeric', maxlength: 16 });
const recoveryField = () => ({ name: 'code', label: t('Recovery code'), autocomplete: 'off', maxlength: 64 });

/** In place of the page: `challenge` is what the first step came to, `arrived(account)` follows the second. */
export function ask(on, challenge, arrived) {
  const byKey = async () => {
    try {
      arrived(await (await import('../passkeys/entering.js')).enterByKey(challenge));
    } catch (error) {
      on.say(error.detail ?? t('This could not be started. Please try again.'));
    }
  };
  const show = (isApp) => {
    const form = new Form({
      label: t('Second step'), submit: t('Sign in'), busy: t('Signing in…'), fields: [isApp ? appField() : recoveryField()],
      send: async ({ code }) => arrived(await enter('/sessions/second-step', { challenge, code: code.trim() })),
    });
    const link = (words, act) => el('button', { type: 'button', class: 'link', click: act }, words);
    on.replace(
      el('p', { class: 'lead' }, isApp ? t('Type the code that your authenticator app shows for this site.')
        : t('Type one of the codes that you were given when you set the app up. Each works once.')),
      form.root,
      el('p', { class: 'ways' }, globalThis.PublicKeyCredential ? link(t('Use a passkey'), byKey) : null, link(isApp ? t('Use a recovery code') : t('Use the app'), () => show(!isApp)),
        link(t('Start again'), () => (location.hash === '#account' ? on.again() : on.home('')))));
    on.arrive();
  };
  show(true);
}
