// Our own page, for benchmarks/probe.js. The clip counts from the moment in which it is the current
// one, its element from the moment in which it is not hidden behind the poster any more.
globalThis.adapter = {
  path: '/',
  clip: () => document.querySelector('.page[aria-current]')?.dataset.clip ?? null,
  video: () => {
    const clip = adapter.clip();
    return clip && document.querySelector(`video[data-clip="${clip}"][data-shown]`);
  },
  next: () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })),
};
