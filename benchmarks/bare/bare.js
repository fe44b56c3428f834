// The motions of our page with nothing of it: plain colours on a track that follows a finger and then settles, as long as ours
// did; a sheet that comes and goes; behind `#list=` and a number of rows, a list that scrolls. What motions.js looks for has the
// names of our page.

const LEAVES_MS = 200; // as in web/app/comments/sheet.js
const stage = document.getElementById('stage');
const track = document.getElementById('track');
let place = 0;
// Where the finger came down.
let from = null;

/** How long each swipe settles, in ms: the first one first. */
globalThis.bare = { lengths: [] };

function mount(at) {
  const page = document.createElement('div');
  page.style.top = `${at * 100}%`;
  page.style.backgroundColor = `hsl(${(at * 47) % 360} 45% 40%)`;
  track.append(page);
}

function move(percent, duration) {
  track.style.transitionDuration = `${duration}ms`;
  track.style.transform = `translate3d(0, ${percent}%, 0)`;
}

stage.addEventListener('pointerdown', ({ clientY }) => { from = clientY; });
stage.addEventListener('pointermove', ({ clientY }) => {
  if (from !== null) move(-place * 100 + ((clientY - from) / stage.clientHeight) * 100, 0);
});
stage.addEventListener('pointerup', () => {
  if (from === null) return;
  from = null;
  place += 1;
  move(-place * 100, globalThis.bare.lengths[place - 1]);
});
// A page on each side of the one that is seen, as ours has.
track.addEventListener('transitionend', () => {
  mount(place + 1);
  if (track.childElementCount > 3) track.firstElementChild.remove();
});
mount(0);
mount(1);

document.querySelector('.comments button').addEventListener('click', () => {
  const sheet = Object.assign(document.createElement('section'), { id: 'comments' });
  const close = Object.assign(document.createElement('button'), { type: 'button', className: 'close', textContent: 'Close' });
  close.addEventListener('click', () => {
    const leaving = sheet.animate({ transform: ['none', 'translateY(100%)'] }, { duration: LEAVES_MS, easing: 'ease-in', fill: 'both' });
    leaving.addEventListener('finish', () => sheet.remove());
  });
  sheet.append(close);
  document.body.append(sheet);
});

const [, rows] = /^#list=(\d+)$/.exec(location.hash) ?? [];
if (rows) {
  const list = Object.assign(document.createElement('ul'), { className: 'middle' });
  list.append(...Array.from({ length: Number(rows) }, () => document.createElement('li')));
  document.body.append(list);
}
