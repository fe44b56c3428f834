// Keys in a row of tabs, wherever there is one. It refuses to know what a tab leads to.

/** The place of the tab that a key leads to; undefined if it leads to none. The arrows go from one to the next and round, in the
 *  direction in which people read. What is pressed with another key is the browser's: Alt and an arrow go back a page. */
export function tabByKey(row, event) {
  const all = [...row.children];
  const at = all.indexOf(document.activeElement);
  if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const by = getComputedStyle(row).direction === 'rtl' ? -step : step;
  return step ? (at + by + all.length) % all.length : { Home: 0, End: all.length - 1 }[event.key];
}
