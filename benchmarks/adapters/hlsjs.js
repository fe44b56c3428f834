// The page of peers/hlsjs.html, for benchmarks/probe.js. Its element counts from the moment in which
// it has a picture.
globalThis.adapter = {
  path: '/peers/hlsjs.html',
  clip: () => globalThis.peer?.clip() ?? null,
  video: () => globalThis.peer?.video() ?? null,
  next: () => globalThis.peer.next(),
};
