// activity.wasm for tests: in it are the machines of what people do, without which no request goes.

import { readFileSync } from 'node:fs';
import { freshen } from '../app/api/api.js';

const root = new URL('../../', import.meta.url);
const bytes = readFileSync(new URL('web/activity.wasm', root));
const module = new WebAssembly.Module(bytes);

export const loadDoors = () => new WebAssembly.Instance(module, {}).exports;

/** A server of which `fetch` asks everything else. */
export const withDoors = (fetch) => async (url, options) => (url === '/activity.wasm' ? new Response(bytes) : fetch(url, options));

/** From then on requests go at once, as in a page that has been there for a moment. */
export async function openDoors() {
  const { fetch } = globalThis;
  globalThis.fetch = withDoors(fetch);
  await freshen();
  globalThis.fetch = fetch;
}
