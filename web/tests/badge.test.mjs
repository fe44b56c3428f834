import assert from 'node:assert/strict';
import test from 'node:test';
import { withDoors } from './doors.mjs';

globalThis.localStorage = {
  getItem: (key) => (key === 'clipfeed.account' ? JSON.stringify({ id: 'ada', handle: 'ada', name: 'Ada', until: Date.now() + 600_000 }) : null),
  setItem() {},
  removeItem() {},
};
const asked = [];
globalThis.fetch = withDoors((url) => new Promise((answer) => { asked.push({ url, answer: (body) => answer(Response.json(body)) }); }));
const { count, news } = await import('../app/inbox/entry.js');

const turn = () => new Promise((done) => { setTimeout(done, 20); });

/** The question that was asked `nth` for the address. */
async function question(address, nth) {
  for (let look = 0; look < 200; look += 1) {
    const all = asked.filter(({ url }) => url.endsWith(address));
    if (all[nth]) return all[nth];
    await turn();
  }
  throw new Error(`${address} was not asked for ${nth + 1} times`);
}

test('an answer to an earlier question that comes last changes nothing', async () => {
  count();
  const [unread, unseen] = [await question('/unread-messages', 0), await question('/unseen-notifications', 0)];
  count();
  (await question('/unread-messages', 1)).answer({ unread: 2 });
  (await question('/unseen-notifications', 1)).answer({ unseen: 3 });
  while (news().unread !== 2 || news().unseen !== 3) await turn();
  unread.answer({ unread: 1 });
  unseen.answer({ unseen: 1 });
  await turn();
  assert.deepEqual(news(), { unread: 2, unseen: 3 });
});
