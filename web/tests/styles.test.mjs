import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const app = new URL('../app/', import.meta.url);
// Theirs lie on the feed's own pages or beside them, and have names of their own.
const OF_THE_FEED = new Set(['ai-label', 'blocking', 'feed', 'foreign', 'messages', 'profile-link', 'social', 'tags']);
const sheets = readdirSync(app, { recursive: true }).filter((name) => name.endsWith('.css'));

// What is the same from both sides, or shows the time of a clip, which goes on to the right in every language; and what has a rule
// for the other direction behind it.
const OF_SIDES = ['.page', '.placeholder', '[data-fit=', '#time', '#tabs', '.secret input', '#inbox-screen h2', '.trim .', '.cover .strip',
  '[data-part="finder"]', '[data-part="marks"]'];
const PHYSICAL = /(?:^|[\s;])(?:(?:margin|padding|border)-)?(?:left|right)(?:-[a-z]+)?:|text-align: (?:left|right)/;

/** The selectors of a sheet, one by one. */
function selectorsOf(css) {
  const selectors = [];
  const open = [];
  let text = '';
  for (const letter of css.replace(/\/\*[^]*?\*\//g, '')) {
    if (letter === '{') {
      const prelude = text.trim();
      if (!prelude.startsWith('@') && !open.some((outer) => outer.startsWith('@keyframes'))) selectors.push(...parts(prelude));
      open.push(prelude);
    } else if (letter === '}') open.pop();
    text = '{};'.includes(letter) ? '' : text + letter;
  }
  return selectors;
}

/** At the commas that stand outside of all brackets. */
function parts(prelude) {
  const found = [''];
  let depth = 0;
  for (const letter of prelude) {
    if ('([' .includes(letter)) depth += 1;
    if (')]'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 0) found.push(''); else found[found.length - 1] += letter;
  }
  return found.map((selector) => selector.trim());
}

for (const sheet of sheets) {
  if (OF_THE_FEED.has(sheet.split('/')[0])) continue;
  test(`${sheet} says nothing about other screens`, () => {
    const selectors = selectorsOf(readFileSync(new URL(sheet, app), 'utf8'));
    assert.ok(selectors.length > 5);
    // Once loaded it stays: what has no screen's id in it, or the class that all screens have, would hold everywhere.
    assert.deepEqual(selectors.filter((selector) => !/#[a-z]|^\.screen\b/.test(selector)), []);
  });
}

test('every sheet is in a layer', () => {
  const layers = 'base, feed, components, screens';
  assert.match(readFileSync(new URL('feed/feed.css', app), 'utf8'), new RegExp(`^@layer ${layers};$`, 'm'));
  for (const sheet of sheets) {
    const css = readFileSync(new URL(sheet, app), 'utf8').replace(/\/\*[^]*?\*\//g, '');
    const outside = css.match(/^[^\s}].*$/gm).filter((line) => line !== `@layer ${layers};`);
    assert.deepEqual(outside.filter((line) => !layers.split(', ').some((name) => line === `@layer ${name} {`)), [], sheet);
  }
});

test('sheets place things from start to end, so that Arabic is mirrored', () => {
  for (const sheet of sheets) {
    const css = readFileSync(new URL(sheet, app), 'utf8').replace(/\/\*[^]*?\*\//g, '');
    const rules = Array.from(css.matchAll(/([^{};]+)\{([^{}]*)\}/g), ([, selector, body]) => [selector.trim(), body]);
    const physical = rules.filter(([, body]) => PHYSICAL.test(body)).map(([selector]) => selector);
    assert.deepEqual(physical.filter((selector) => !selector.includes(':dir(') && !OF_SIDES.some((part) => selector.includes(part))), [], sheet);
  }
});
