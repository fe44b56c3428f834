// Holds the catalogues of the web client (web/words) to the sentences in its code: see docs/design/words.md. With `--write` every key
// goes into the file where it belongs, sorted, and what nobody says any more goes.

import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const WEB = join(ROOT, 'web');
const PARTS = ['feed', 'screens'];
const { LANGUAGES } = await import(pathToFileURL(join(WEB, 'app/words/words.js')));
const OTHERS = LANGUAGES.filter((language) => language !== 'en');
// Plain scripts of the page's worker (web/worker.js), which say something by themselves.
const WORKERS = ['push.js', 'sync.js'].filter((name) => existsSync(join(WEB, name)));

const CALL = /(?<![\w.$#]|function )\b(t|plural)\(/g;
// What the document says has its keys there.
const LABELS = 'app/feed/labels.js';

export const problems = [];
const fail = (text) => problems.push(text);
const read = (path) => readFileSync(path, 'utf8');

// MARK: code

/** Comments as blanks, so that places stay. A `//` inside a string is none. */
export function withoutComments(source) {
  return source.replace(/('(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`)|(^|[\s;{}(,])(\/\/[^\n]*|\/\*[^]*?\*\/)/g,
    (whole, text, before, comment) => (text !== undefined ? whole : before + comment.replace(/[^\n]/g, ' ')));
}

/** What stands between the brackets that open at `from`, cut at its commas: `[[start, text]]`. */
function argumentsAt(source, from) {
  const found = [];
  let depth = 0;
  let start = from + 1;
  for (let at = from; at < source.length; at += 1) {
    const letter = source[at];
    if (letter === "'" || letter === '"' || letter === '`') {
      at = endOfText(source, at);
      continue;
    }
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    if ((letter === ',' && depth === 1) || depth === 0) {
      found.push([start, source.slice(start, at).trim()]);
      start = at + 1;
    }
    if (depth === 0) break;
  }
  return found;
}

function endOfText(source, from) {
  const quote = source[from];
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (quote === '`' && source.startsWith('${', at)) at = endOfValue(source, at + 1);
    else if (source[at] === quote) return at;
  }
  return source.length;
}

/** Where the bracket closes that opens at `from`. */
function endOfValue(source, from) {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    if ("'\"`".includes(source[at])) at = endOfText(source, at);
    else if (source[at] === '{') depth += 1;
    else if (source[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return source.length;
}

/** The text of a literal; null for anything else. */
function literal(text) {
  if (!/^(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")$/s.test(text)) return null;
  return text.slice(1, -1).replace(/\\(u\{([0-9a-f]+)\}|u([0-9a-f]{4})|.)/gi, (_, mark, long, short) => (
    long ?? short ? String.fromCodePoint(parseInt(long ?? short, 16)) : { n: '\n' }[mark] ?? mark));
}

/** Whether a call stands in a value at a module's top level, and in no function there. */
function isEager(source, at) {
  const start = source.slice(0, at).search(/(?:^|\n)[^\s)}\]][^\n]*(?:\n(?:[ )}\]][^\n]*)?)*$/);
  const statement = source.slice(start, at).trimStart();
  return /^(?:export )?(?:const|let) /.test(statement) && !/=>|\bfunction\b|\bget \w+\(\)/.test(statement);
}

/** The sentences that a source says: `[{key, isPlural}]`. */
export function sentencesIn(source, name) {
  const clean = withoutComments(source);
  const found = [];
  for (const { index, 0: call, 1: kind } of clean.matchAll(CALL)) {
    const given = argumentsAt(clean, index + call.length - 1).map(([, text]) => text);
    const keys = kind === 't' ? [literal(given[0])] : [literal(given[1] ?? ''), literal(given[2] ?? '')];
    if (isEager(clean, index)) fail(`${name}: ${kind}(${given[0]}, …): said when the module is loaded, which may be before the words are there`);
    if (keys.includes(null) && name === LABELS) continue;
    if (keys.includes(null)) fail(`${name}: ${kind}(${given.join(', ').slice(0, 60)}): a key is a literal`);
    else found.push({ key: keys.at(-1), isPlural: kind === 'plural' });
  }
  return found;
}

const modules = new Map(readdirSync(join(WEB, 'app'), { recursive: true }).filter((name) => name.endsWith('.js'))
  .map((name) => [`app/${name}`, read(join(WEB, 'app', name))]));

/** The modules that run before the words of the screens are waited for: those of the first load, and whatever they bring without
 *  `loadWords('screens')` just before. */
export function modulesOfFeed() {
  const found = new Set();
  const add = (name) => {
    const source = modules.get(name);
    if (source === undefined || found.has(name)) return;
    found.add(name);
    const clean = withoutComments(source);
    for (const { index, 1: path } of clean.matchAll(/(?:^import [^;]*?from |^import |^export [^;]*? from |import\()'(\.[^']*)'/gm)) {
      if (name === 'app/main.js' ? isScreen(clean, index) : clean.slice(Math.max(0, index - 160), index).includes("loadWords('screens')")) continue;
      add(normalize(join(dirname(name), path)));
    }
  };
  add('app/main.js');
  return found;
}

/** `openScreen` waits for all whose address has a `#`, and for an upload that goes on. */
const isScreen = (source, index) => /^ {2}('#\w+'|resume):|^async function openAccount/.test(source.slice(source.lastIndexOf('\n', index) + 1));

// MARK: the document

/** What labels.js puts into another language: `web/index.html` is our own, so patterns will do. */
export function labelsIn(html) {
  const body = html.slice(html.indexOf('<body'));
  const plain = (text) => text.replaceAll('&amp;', '&').trim();
  const texts = [...body.replace(/<noscript>[^]*<\/noscript>/, '').matchAll(/>([^<>]+)</g)].map(([, text]) => plain(text));
  const attributes = [...body.matchAll(/(?:aria-label|title|data-on|data-off)="([^"]+)"/g)].map(([, text]) => plain(text));
  // The name of the product is one everywhere.
  return [...texts, ...attributes].filter((text) => /[A-Za-z]/.test(text) && !/^clipfeed$/i.test(text));
}

// MARK: catalogues

const uses = new Map();
function use(key, part, isPlural, name) {
  const known = uses.get(key);
  if (known && known.isPlural !== isPlural) fail(`${name}: "${key}" is both one sentence and one for each number`);
  uses.set(key, { part: known?.part === 'feed' ? 'feed' : part, isPlural, name });
}

const ofFeed = modulesOfFeed();
for (const [name, source] of modules) {
  if (name === 'app/words/words.js') continue;
  for (const { key, isPlural } of sentencesIn(source, name)) use(key, ofFeed.has(name) ? 'feed' : 'screens', isPlural, name);
}
for (const label of labelsIn(read(join(WEB, 'index.html')))) use(label, 'feed', false, 'index.html');
for (const name of WORKERS) for (const { key, isPlural } of sentencesIn(read(join(WEB, name)), name)) use(key, 'feed', isPlural, name);

/** Categories that whole numbers of things meet; Spanish has another for millions, which may stay out. */
function categoriesOf(language) {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({ length: 1000 }, (_, number) => rules.select(number)));
}

const namesIn = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const isSame = (one, other) => String([...new Set(one)]) === String([...new Set(other)]);

function checkSentence(where, language, key, value, isPlural) {
  if (!isPlural) {
    if (typeof value !== 'string' || !value.trim()) fail(`${where}: "${key}" needs one sentence`);
    else if (!isSame(namesIn(key), namesIn(value))) fail(`${where}: "${key}" and "${value}" have other placeholders`);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    fail(`${where}: "${key}" needs a sentence for each number`);
    return;
  }
  const all = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  for (const category of categoriesOf(language)) if (!value[category]) fail(`${where}: "${key}" has none for "${category}"`);
  for (const [category, text] of Object.entries(value)) {
    if (!all.includes(category)) fail(`${where}: "${key}": the language has no "${category}"`);
    // One, two and none are said without their number in some languages, also without one that is written out by the code.
    const without = (names) => names.filter((name) => name !== 'count' && name !== 'number');
    const isFew = ['zero', 'one', 'two'].includes(category);
    if (!(isFew ? isSame(without(namesIn(key)), without(namesIn(text))) : isSame(namesIn(key), namesIn(text)))) {
      fail(`${where}: "${key}", ${category}: other placeholders`);
    }
  }
}

const fileOf = (language, part) => join(WEB, 'words', language, `${part}.json`);
const entriesOf = (path) => (existsSync(path) ? Object.entries(JSON.parse(read(path))) : []);
const byKey = ([one], [other]) => (one < other ? -1 : 1);
const textOf = (entries) => `${JSON.stringify(Object.fromEntries(entries.sort(byKey)), null, 2)}\n`;

/** Each key into the file of its part. */
function write(language) {
  const folder = join(WEB, 'words', language);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'problems.json');
  const all = new Map(files.flatMap((name) => entriesOf(join(folder, name))));
  for (const part of PARTS) writeFileSync(fileOf(language, part), textOf([...all].filter(([key]) => uses.get(key)?.part === part)));
  for (const name of files) if (!PARTS.includes(name.slice(0, -'.json'.length))) rmSync(join(folder, name));
}

function checkCatalogue(language) {
  const known = new Map();
  for (const part of PARTS) {
    const path = fileOf(language, part);
    const where = `web/words/${language}/${part}.json`;
    const entries = entriesOf(path);
    if (existsSync(path) && read(path) !== textOf([...entries])) fail(`${where}: sorted keys and two spaces, please: node scripts/lib/words.mjs --write`);
    for (const [key, value] of entries) {
      const used = uses.get(key);
      known.set(key, part);
      if (!used) fail(`${where}: nobody says "${key}"`);
      else if (used.part !== part) fail(`${where}: "${key}" belongs into ${used.part}.json, by ${used.name}`);
      else checkSentence(where, language, key, value, used.isPlural);
    }
  }
  for (const [key, { part, name }] of uses) if (!known.has(key)) fail(`web/words/${language}/${part}.json: "${key}" is missing (${name})`);
}

/** One sentence for each code of the server, whatever it is about. */
function checkProblems(language) {
  const swift = read(join(ROOT, 'contract/Sources/Contract/ErrorCode.swift'));
  const table = swift.slice(0, swift.indexOf('public struct Entry'));
  const codes = new Set([...table.matchAll(/^ {2}case (\w+)(?: = "(\w+)")?$/gm)].map(([, name, raw]) => raw ?? name));
  const where = `web/words/${language}/problems.json`;
  const entries = entriesOf(fileOf(language, 'problems'));
  if (read(fileOf(language, 'problems')) !== textOf([...entries])) fail(`${where}: sorted keys and two spaces, please`);
  for (const [code, text] of entries) {
    if (!codes.has(code)) fail(`${where}: the server has no code "${code}"`);
    if (typeof text !== 'string' || !text.trim()) fail(`${where}: "${code}" has no sentence`);
  }
  for (const code of codes) if (!entries.some(([known]) => known === code)) fail(`${where}: "${code}" is missing`);
}

// MARK: English that was left in the code

const exceptions = new Set(read(join(ROOT, 'scripts/words.txt')).split('\n').filter((line) => line && !line.startsWith('# ')));
const met = new Set();
// What people read or hear.
const GIVEN = /(?:aria-label|aria-valuetext|aria-description|title|placeholder|alt|label|ariaLabel|textContent|detail|notice|say)['"]?\s*(?:[:=,(]|\]\s*=)\s*$/;

function checkEnglish(name, source) {
  const clean = withoutComments(source);
  for (const [at, text] of textsIn(clean)) {
    const before = clean.slice(Math.max(0, at - 60), at);
    if (/\b(?:t|plural)\([^'"`;]*$|(?:Error|Exception|warn|error|info|log|querySelector(?:All)?|matches|closest|matchMedia|URL|setItem|getItem)\($/.test(before)) continue;
    const isSentence = /(?:^|[\s>(])[A-Z][a-z’]+[^\s<>]* [a-z’]+/.test(text) || /^[A-Z][a-z’]+[.…!?]$/.test(text) || />\s*[A-Z][a-z]+[^<>{}]*</.test(text);
    const isLabel = /^[A-Z][a-z]/.test(text) && GIVEN.test(before);
    if (!isSentence && !isLabel) continue;
    const line = `${name}: ${text.trim().replace(/\s+/g, ' ').slice(0, 100)}`;
    met.add(line);
    if (!exceptions.has(line)) fail(`${line}\n  is English that nothing puts into another language: t() or plural(), or a line in scripts/words.txt`);
  }
}

/** Literals, and of templates what stands between their values, by place; without those that are keys. */
export function* textsIn(source) {
  const keys = new Set();
  for (const { index, 0: call, 1: kind } of source.matchAll(CALL)) {
    const given = argumentsAt(source, index + call.length - 1).slice(...(kind === 't' ? [0, 1] : [1, 3]));
    for (const [start, text] of given) keys.add(source.indexOf(text.slice(0, 1), start));
  }
  for (const [at, text] of literalsIn(source, 0, source.length)) if (!keys.has(at)) yield [at, text];
}

function* literalsIn(source, from, to) {
  for (let at = from; at < to; at += 1) {
    // A pattern, which may have quotes in it.
    if (source[at] === '/' && /[(,=:[!&|?{};]\s*$|\breturn\s*$/.test(source.slice(Math.max(0, at - 12), at))) {
      at = endOfPattern(source, at);
    } else if ("'\"`".includes(source[at])) {
      const end = endOfText(source, at);
      let text = '';
      for (let inside = at + 1; inside < end; inside += 1) {
        if (source[at] !== '`' || !source.startsWith('${', inside)) {
          text += source[inside];
          continue;
        }
        const value = endOfValue(source, inside + 1);
        yield* literalsIn(source, inside + 2, value);
        text += '{}';
        inside = value;
      }
      yield [at, text];
      at = end;
    }
  }
}

function endOfPattern(source, from) {
  let isClass = false;
  for (let at = from + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') isClass = true;
    else if (source[at] === ']') isClass = false;
    else if (source[at] === '\n' || (source[at] === '/' && !isClass)) return at;
  }
  return source.length;
}

// MARK: all of it

function checkAll() {
  for (const language of OTHERS) {
    checkCatalogue(language);
    checkProblems(language);
  }
  for (const [name, source] of modules) if (name !== 'app/words/words.js') checkEnglish(name, source);
  for (const name of WORKERS) checkEnglish(name, read(join(WEB, name)));
  for (const line of exceptions) if (!met.has(line)) fail(`scripts/words.txt: nothing says any more: ${line}`);
  if (problems.length) {
    console.error(problems.join('\n'));
    process.exitCode = 1;
  } else console.log(`ok: ${uses.size} sentences in ${OTHERS.length} languages`);
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--write')) OTHERS.forEach(write); else checkAll();
}
