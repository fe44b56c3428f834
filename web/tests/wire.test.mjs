import assert from 'node:assert/strict';
import test from 'node:test';
import { COMMANDS, Core, EVENT, arrange, decode, encode, itemFields, numbersOf, tableOf } from '../app/core/core.js';
import { fakeExports } from './fake-core.mjs';

const COMMAND = numbersOf(COMMANDS);

const rendition = (edge, size) => ({
  width: edge, height: edge * 2, peak_bps: 9, average_bps: 8, codecs: 'avc1.64001e',
  init: { offset: 0, size: 10 },
  segments: [{ offset: 10, size, duration_ms: 1000 }, { offset: 10 + size, size, duration_ms: 500 }],
});

test('an event is its kind and its fields as whole numbers', () => {
  const words = encode(EVENT.dragEnded, [-12.6, 400.4]);
  assert.deepEqual([...words], [12n + 1n, -13n, 400n]);
  assert.deepEqual([...encode(EVENT.soundSet, [true])], [41n, 1n]);
  assert.deepEqual([...encode(EVENT.viewportResized, [NaN, undefined])], [10n, 0n, 0n]);
});

test('words beyond the numbers go both ways as they are', () => {
  const large = 2n ** 63n - 1n;
  assert.deepEqual([...encode(1, [large, -large, 3])], [1n, large, -large, 3n]);
  assert.deepEqual(decode(BigInt64Array.of(3n, 1n, large), undefined, (word) => word), [{ name: 'scroll', position: large }]);
});

test('a clip becomes words in the order of the interface', () => {
  const clip = { item: 3, duration: 1500, renditions: [rendition(360, 7)] };
  assert.deepEqual(itemFields(clip), [3, 1500, 1, 360, 9, 8, 0, 10, 2, 10, 7, 1000, 17, 7, 500]);
});

test('command rows are read one behind the other, and unknown kinds are passed over', () => {
  const words = BigInt64Array.of(3n, 1n, -250000n, 999n, 2n, 1n, 2n, 7n, 0n);
  assert.deepEqual(decode(words), [
    { name: 'scroll', position: -250000 },
    { name: 'requestPage' },
  ]);
});

test('a field with three dots takes all that are left', () => {
  const table = tableOf('7 begin:first,…rest\n  end 12 later:one');
  assert.deepEqual([...table.keys()], [7, 8, 12]);
  assert.deepEqual(decode(BigInt64Array.of(7n, 3n, 1n, 2n, 3n, 8n, 0n, 7n, 1n, 4n), table), [
    { name: 'begin', first: 1, rest: [2, 3] }, { name: 'end' }, { name: 'begin', first: 4, rest: [] },
  ]);
});

test('a row longer than its words is an error, not a guess', () => {
  assert.throws(() => decode(BigInt64Array.of(3n, 2n, 1n)), RangeError);
});

test('no two events and no two commands share a number', () => {
  for (const table of [EVENT, COMMAND]) {
    assert.equal(new Set(Object.values(table)).size, Object.keys(table).length);
  }
});

test('an event that arises while commands run waits until all of them have run', () => {
  const order = [];
  const core = new Core(fakeExports(), ({ name }) => {
    order.push(name);
    if (name === 'requestPage') {
      core.report(EVENT.itemAppended, ...itemFields({ item: 0, duration: 1500, renditions: [rendition(360, 7)] }));
      core.report(EVENT.soundSet, 1);
      order.push('end of requestPage');
    }
  });
  core.report(EVENT.started, 3, 0, 1, 0, 0, 0);
  assert.deepEqual(order, ['requestPage', 'end of requestPage', 'mount', 'setMuted']);
});

test('a command that throws does not lose the ones behind it', (t) => {
  t.mock.method(console, 'error', () => {});
  const order = [];
  const core = new Core(fakeExports(), ({ name }) => {
    order.push(name);
    if (name === 'pause') throw new Error('broken');
  });
  core.report(EVENT.tapped);
  assert.deepEqual(order, ['pause', 'showPaused']);
});

const command = (name, ...values) => Object.assign({ name }, ...COMMANDS.get(COMMAND[name]).fields
  .map((field, i) => ({ [field]: values[i] })));
const names = (commands) => commands.map(({ name }) => name);

test('a clip that starts to play comes before what is out of sight', () => {
  const { first, later } = arrange([
    command('mount', 4, 4), command('setCurrent', 2, 2), command('settle', 2, 300), command('release', 0),
    command('load', 0, 3), command('pause', 1), command('play', 2), command('fetch', 1),
  ]);
  assert.deepEqual(names(first), ['play', 'setCurrent', 'settle', 'pause', 'fetch']);
  assert.deepEqual(names(later), ['mount', 'release', 'load']);
});

test('without a start everything stays in its order', () => {
  const commands = [command('mount', 4, 4), command('setCurrent', 4, 4), command('load', 0, 4)];
  assert.deepEqual(arrange(commands), { first: commands, later: [] });
});

test('a start does not overtake what prepares its player, nor a page its clip', () => {
  const bound = [command('seek', 1, 0), command('play', 1)];
  assert.deepEqual(arrange(bound).first, bound);
  const { first } = arrange([command('mount', 7, 7), command('setCurrent', 7, 7), command('play', 1)]);
  assert.deepEqual(names(first), ['play', 'mount', 'setCurrent']);
});

test('what follows a player that is put off is put off with it', () => {
  const { first, later } = arrange([
    command('settle', 2, 300), command('release', 0), command('load', 0, 3), command('seek', 0, 700),
    command('pause', 1), command('play', 2),
  ]);
  assert.deepEqual(names(first), ['play', 'settle', 'pause']);
  assert.deepEqual(names(later), ['release', 'load', 'seek']);
});

test('pages that get other numbers get them in one frame', () => {
  const moved = [command('mount', 4, 5), command('setCurrent', 3, 4), command('play', 2)];
  for (const rest of [[command('settle', 4, 0)], [command('scroll', 4_200_000), command('settle', 4, 120)]]) {
    const { later } = arrange([...moved, ...rest]);
    assert.deepEqual(later, []);
  }
});

test('what was put off comes before the next commands, and by itself', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const order = [];
  const rows = [
    [['settle', 2, 300], ['load', 0, 3], ['play', 2]],
    [['pause', 2]],
    [['settle', 3, 300], ['load', 1, 4], ['play', 0]],
    [],
  ];
  const exports = fakeExports();
  exports.session_handle = () => {
    const out = rows.shift().flatMap(([name, ...fields]) => [COMMAND[name], fields.length, ...fields]);
    new BigInt64Array(exports.memory.buffer, exports.session_commands(), out.length).set(out.map(BigInt));
    return out.length;
  };
  const core = new Core(exports, ({ name }) => order.push(name));
  core.report(EVENT.stepped, 1);
  assert.deepEqual(order, ['play', 'settle']);
  core.report(EVENT.tapped);
  assert.deepEqual(order, ['play', 'settle', 'load', 'pause']);
  core.report(EVENT.stepped, 1);
  core.report(EVENT.woke);
  assert.deepEqual(order.slice(4), ['play', 'settle']);
  t.mock.timers.tick(150);
  assert.deepEqual(order.slice(4), ['play', 'settle', 'load']);
});
