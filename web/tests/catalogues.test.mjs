import assert from 'node:assert/strict';
import test from 'node:test';
import { labelsIn, modulesOfFeed, problems, sentencesIn, textsIn } from '../../scripts/lib/words.mjs';

const keys = (source) => sentencesIn(source, 'test').map(({ key }) => key);

function faults(source) {
  problems.length = 0;
  sentencesIn(source, 'test');
  return problems.splice(0).length;
}

test('keys are found wherever they stand', () => {
  assert.deepEqual(keys("say(t('One'), `<b>${t('Two')}</b> ${isOn ? t('Three, {name}', { name: nameOf(one) }) : ''}`);"), ['One', 'Two', 'Three, {name}']);
  assert.deepEqual(keys("plural(all.filter((one) => one.is('a, b')).length, '{count} like', '{count} likes')"), ['{count} likes']);
  assert.deepEqual(keys("// t('in a comment')\nclient.t('no'); const address = 'http://t('; list.at(0);"), []);
});

test('a key that is no literal is a fault, and one that is said too early', () => {
  assert.equal(faults("export const say = (name) => t(name);"), 1);
  assert.equal(faults("const words = {\n  a: t('Early'),\n};\n"), 1);
  assert.equal(faults("const words = {\n  a: () => t('In time'),\n};\n\nclass One {\n  #title = t('In time');\n}\n"), 0);
});

test('what stands in no key is left', () => {
  const left = [...textsIn("t('Wrapped'); plural(2, 'One thing', 'Two things'); say('Not wrapped'); `<p>${t('In')} and out</p>`")].map(([, text]) => text);
  assert.deepEqual(left, ['Not wrapped', '<p>{} and out</p>']);
});

test('the document says its own labels', () => {
  assert.deepEqual(labelsIn('<body><p title="Like (l)">Clips &amp; more</p><b aria-hidden="true">clipfeed</b></body>'), ['Clips & more', 'Like (l)']);
});

test('modules that come behind the words of the screens are none of the feed', () => {
  const found = modulesOfFeed();
  for (const name of ['app/main.js', 'app/messages/messages.js', 'app/tabs/tabs.js', 'app/live/live.js']) assert.ok(found.has(name), name);
  for (const name of ['app/comments/sheet.js', 'app/account/account.js', 'app/menu/menu.js', 'app/upload/upload.js']) assert.ok(!found.has(name), name);
});
