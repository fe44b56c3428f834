// What a module of a page imports is of the same page: `?page=…` behind its name is handed on, so that a test has all of them anew.

import { register } from 'node:module';

register(`data:text/javascript,${encodeURIComponent(`export async function resolve(name, context, next) {
  const found = await next(name, context);
  const page = /[?]page=.*/.exec(context.parentURL ?? '')?.[0] ?? '';
  return { ...found, url: found.url.startsWith('file:') && !found.url.includes('?') ? found.url + page : found.url };
}`)}`);
