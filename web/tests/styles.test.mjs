import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';

const styles = new URL('../styles/', import.meta.url);
// Theirs lie on the feed's own pages or beside them, and have names of their own.
const OF_THE_FEED = new Set(['blocking', 'embed', 'error', 'foreign', 'messages', 'social', 'tags']);

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

for (const folder of readdirSync(styles, { withFileTypes: true })) {
  if (!folder.isDirectory() || OF_THE_FEED.has(folder.name)) continue;
  for (const sheet of readdirSync(new URL(`${folder.name}/`, styles))) {
    test(`${folder.name}/${sheet} says nothing about other screens`, () => {
      const selectors = selectorsOf(readFileSync(new URL(`${folder.name}/${sheet}`, styles), 'utf8'));
      assert.ok(selectors.length > 5);
      // Once loaded it stays: what has no screen's id in it, or the class that all screens have, would hold everywhere.
      assert.deepEqual(selectors.filter((selector) => !/#[a-z]|^\.screen\b/.test(selector)), []);
    });
  }
}
