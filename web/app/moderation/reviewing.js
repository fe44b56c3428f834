// Answering an appeal, or taking a decision back.

import { el } from '../account/form.js';
import { request, route } from '../api/api.js';
import { Sending } from '../report/sending.js';
import { Statement } from '../report/statement.js';
import { choice } from './deciding.js';

/** `reviewed(file, words)` hears what came of it. */
export function reviewing({ id, appeal, review }, reviewed) {
  const isAppeal = Boolean(appeal) && !review;
  const name = `review-${id}`;
  const statement = new Statement({ place: `review ${id}`, label: 'What they are told' });
  const outcome = () => (isAppeal ? sending.root.querySelector(':checked')?.value : 'reversed');
  const sending = new Sending({
    label: isAppeal ? 'Answer the appeal' : 'Take it back', submit: isAppeal ? 'Answer' : 'Take it back', busy: isAppeal ? 'Answering…' : 'Taking it back…',
    check: () => {
      if (outcome()) return statement.check();
      sending.fail('Please choose whether the decision stands.');
      return false;
    },
    send: async () => {
      const file = await request(route`/moderation/decisions/${id}/review`, { method: 'PUT', keepalive: true,
        body: { outcome: outcome(), statement: statement.text } });
      statement.settle();
      await reviewed(file, isAppeal ? 'The appeal is answered.' : 'It is taken back.');
    },
  }, isAppeal ? el('fieldset', { class: 'what' }, el('legend', {}, 'Does the decision stand?'),
    choice(name, 'upheld', 'It stands', 'Whoever it is about cannot appeal again.'),
    choice(name, 'reversed', 'Take it back', 'As if it had not been decided.')) : '', statement.root);
  return isAppeal ? sending.root : el('details', { open: Boolean(statement.text) }, el('summary', {}, 'Take it back'), sending.root);
}
