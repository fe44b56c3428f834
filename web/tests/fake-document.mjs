// A document where there is no browser: elements that keep what they are told, and lead nowhere.

/** Its sheets are there at once. */
export const element = (name = '') => ({
  name, children: [], dataset: {}, style: {}, attributes: new Map(),
  append(...more) { this.children.push(...more); },
  replaceChildren(...all) { this.children = all; },
  addEventListener(event, act) { if (event === 'load') queueMicrotask(act); },
  setAttribute(key, value) { this.attributes.set(key, value); },
  getAttribute(key) { return this.attributes.get(key) ?? null; },
  querySelector: () => null,
  querySelectorAll: () => [],
  before() {}, after() {}, remove() {}, toggleAttribute() {}, scrollIntoView() {},
});

/** `made`: all elements that were asked for; `heard`: by event, who listens to the document. */
export function fakeDocument() {
  const made = [];
  const heard = {};
  const createElement = (name) => {
    made.push(element(name));
    return made.at(-1);
  };
  return {
    made, heard, createElement, getElementById: () => element(), querySelector: () => element(), head: element(), activeElement: null, hidden: false,
    addEventListener: (event, act) => { heard[event] = act; },
  };
}
