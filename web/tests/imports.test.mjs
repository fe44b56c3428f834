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

// A browser opens six connections at once over HTTP/1.1: two turns of them, where each more costs everybody a round trip.
test('what the first frame waits for are twelve files, all asked for by the page itself', () => {
  const page = readFileSync(new URL('../index.html', import.meta.url), 'utf8');
  const asked = new Set([...page.matchAll(/<(?:link rel="(?:modulepreload|preload|stylesheet)"|script[^>]*) (?:href|src)="([^"]+)"(.*?)>/g)]
    .filter(([, , rest]) => !rest.includes('media=')).map(([, path]) => path));
  assert.ok(asked.size <= 12, [...asked].join(' '));
  const modules = new Set(['/app/main.js']);
  for (const path of modules) {
    const text = readFileSync(new URL(`..${path}`, import.meta.url), 'utf8');
    for (const [, file] of text.matchAll(/^(?:import|export|\}).*? from '(\.[^']+)';/gm)) modules.add(new URL(file, new URL(path, 'http://x')).pathname);
  }
  assert.deepEqual([...modules].filter((path) => !asked.has(path)), []);
});
