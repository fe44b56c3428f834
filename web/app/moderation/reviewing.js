// Answering an appeal, or taking a decision back.

import { el } from '../account/form.js';
import { request, route } from '../api/api.js';
import { Sending } from '../report/sending.js';
import { Statement } from '../report/statement.js';
import { t } from '../words/words.js';
import { choice } from './deciding.js';

/** `reviewed(file, words)` hears what came of it. */
export function reviewing({ id, appeal, review }, reviewed) {
  const isAppeal = Boolean(appeal) && !review;
  const name = `review-${id}`;
  const statement = new Statement({ place: `review ${id}`, label: t('What they are told') });
  const outcome = () => (isAppeal ? sending.root.querySelector(':checked')?.value : 'reversed');
  const sending = new Sending({
    label: isAppeal ? t('Answer the appeal') : t('Take it back'), submit: isAppeal ? t('Answer') : t('Take it back'), busy: isAppeal ? t('Answering…') : t('Taking it back…'),
    check: () => {
      if (outcome()) return statement.check();
      sending.fail(t('Please choose whether the decision stands.'));
      return false;
    },
    send: async () => {
      const file = await request(route`/moderation/decisions/${id}/review`, { method: 'PUT', keepalive: true,
        body: { outcome: outcome(), statement: statement.text } });
      statement.settle();
      await reviewed(file, isAppeal ? t('The appeal is answered.') : t('It is taken back.'));
    },
  }, isAppeal ? el('fieldset', { class: 'what' }, el('legend', {}, t('Does the decision stand?')),
    choice(name, 'upheld', t('It stands'), t('Whoever it is about cannot appeal again.')),
    choice(name, 'reversed', t('Take it back'), t('As if it had not been decided.'))) : '', statement.root);
  return isAppeal ? sending.root : el('details', { open: Boolean(statement.text) }, el('summary', {}, t('Take it back')), sending.root);
}
