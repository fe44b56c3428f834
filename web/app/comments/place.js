// Where in a list that scrolls somebody reads.

// Whoever has scrolled no farther than this looks at the top.
const TOP_PX = 8;

export const isAtTop = (scroller) => scroller.scrollTop <= TOP_PX;

/** Whatever `change()` does above what is read, that stays where it is. Answers what it answers. */
export function keepPlace(scroller, change) {
  const edge = scroller.getBoundingClientRect().top;
  const read = !isAtTop(scroller)
    && [...scroller.querySelectorAll('.comment')].find((one) => one.getBoundingClientRect().bottom > edge + 1);
  const before = read && read.getBoundingClientRect().top;
  const answer = change();
  // What was read may be what has gone.
  if (read && read.isConnected) scroller.scrollTop += read.getBoundingClientRect().top - before;
  return answer;
}
