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

// What is in no line of the budget may grow without anybody's noticing.
test('every module is paid for once', () => {
  const lines = readFileSync(new URL('../../benchmarks/budget.txt', import.meta.url), 'utf8').split('\n');
  const patterns = lines.filter((line) => /^\d/.test(line)).flatMap((line) => line.split(' ').slice(2))
    .map((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`));
  const files = readdirSync(app, { recursive: true }).filter((name) => name.endsWith('.js'));
  assert.deepEqual(files.filter((file) => patterns.filter((pattern) => pattern.test(`web/app/${file}`)).length !== 1), []);
});
