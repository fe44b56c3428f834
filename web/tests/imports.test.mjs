import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

const app = new URL('../app/', import.meta.url);

// Most modules are fetched when they are wanted: one that is not there would be missed by somebody's tap.
test('every module that is imported is there', () => {
  const missing = [];
  for (const file of readdirSync(app, { recursive: true }).filter((name) => name.endsWith('.js'))) {
    const place = new URL(file, app);
    for (const [, path] of readFileSync(place, 'utf8').matchAll(/(?:from |import\()'(\.[^']*)'/g)) {
      if (!existsSync(new URL(path, place))) missing.push(`${file}: ${path}`);
    }
  }
  assert.deepEqual(missing, []);
});
