"""Whether everything that can be used on a page can be seen and reached, by where it is."""

# Each control of what is open: inside the window, or inside something that scrolls to it; on top where it is; not over another
# one; and a field wide enough to read what is written. Answers what is not so.
FAULTS = """([root, narrowest, smallest]) => {
  const CONTROLS = 'button, a[href], input, select, textarea, label:has([type=radio])';
  const faults = [];
  const nameOf = (element) => element.id || element.getAttribute('aria-label') || element.dataset.action
    || element.name || element.textContent.trim().slice(0, 30) || element.className;
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflow);
  const isThere = (element) => !element.closest('[inert], [aria-hidden=true], .visually-hidden, .page:not([aria-current])')
    && (element.tabIndex >= 0 || element.matches('label'))
    && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && element.getBoundingClientRect().width > 0;
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  // What is written over: without the room that is kept for a button in it.
  const place = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (!element.matches('textarea, input:not([type=radio], [type=checkbox], [type=range])')) return { left, right, top, bottom };
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    return { left: left + parseFloat(paddingLeft), right: right - parseFloat(paddingRight), top, bottom };
  };
  const controls = [...document.querySelector(root).querySelectorAll(CONTROLS)].filter(isThere);
  for (const element of controls) {
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const box = element.getBoundingClientRect();
    if (box.left < -0.5 || box.top < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5) {
      faults.push(`${nameOf(element)} is cut off by the window: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
      continue;
    }
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (getComputedStyle(outer).overflow === 'visible') continue;
      const edge = outer.getBoundingClientRect();
      if (box.left < edge.left - 0.5 || box.right > edge.right + 0.5 || (!scrolls(outer) && (box.top < edge.top - 0.5 || box.bottom > edge.bottom + 0.5))) {
        faults.push(`${nameOf(element)} is cut off by ${nameOf(outer)}`);
      }
    }
    const { left, right, top, bottom } = place(element);
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isHit = hit && (element.contains(hit) || hit.contains(element) && hit.matches('label') || element.labels?.[0]?.contains(hit));
    if (!isHit) faults.push(`${nameOf(element)} lies below ${hit ? nameOf(hit) || hit.localName : 'nothing'}`);
    // A dot in a label is tapped by the label, which is looked at as well.
    const isInLabel = element.matches('[type=radio], [type=checkbox]') && element.closest('label');
    if (!isInLabel && Math.min(box.width, box.height) < smallest) faults.push(`${nameOf(element)} is small: ${Math.round(box.width)} by ${Math.round(box.height)}`);
    if (element.matches('textarea, [type=text], [type=email], [type=password], input:not([type])') && right - left < narrowest) {
      faults.push(`${nameOf(element)} is ${Math.round(right - left)} px wide`);
    }
  }
  // Together, as they stand now; what is scrolled out of sight covers nothing.
  const seen = controls.map((element) => {
    const box = place(element);
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (!scrolls(outer)) continue;
      const edge = outer.getBoundingClientRect();
      box.top = Math.max(box.top, edge.top);
      box.bottom = Math.min(box.bottom, edge.bottom);
      box.left = Math.max(box.left, edge.left);
      box.right = Math.min(box.right, edge.right);
    }
    return { element, box };
  });
  seen.forEach(({ element, box }, at) => {
    for (const other of seen.slice(at + 1)) {
      if (element.contains(other.element) || other.element.contains(element)) continue;
      if (overlap(box, other.box)) faults.push(`${nameOf(element)} and ${nameOf(other.element)} overlap`);
    }
  });
  return faults;
}"""

# Texts and groups of controls over the clip: none lies over another.
APART = """(selectors) => {
  const parts = selectors.flatMap((selector) => [...document.querySelectorAll(selector)].map((element) => ({ selector, element })))
    .filter(({ element }) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const faults = [];
  // What is scrolled out of sight covers nothing.
  const seen = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const box = { left, right, top, bottom };
    for (let outer = element.parentElement; outer; outer = outer.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(outer).overflow)) continue;
      const edge = outer.getBoundingClientRect();
      Object.assign(box, { left: Math.max(box.left, edge.left), right: Math.min(box.right, edge.right),
        top: Math.max(box.top, edge.top), bottom: Math.min(box.bottom, edge.bottom) });
    }
    return box;
  };
  parts.forEach((one, at) => {
    const a = seen(one.element);
    for (const other of parts.slice(at + 1)) {
      const b = seen(other.element);
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1) {
        faults.push(`${one.selector} and ${other.selector} overlap`);
      }
    }
  });
  return faults;
}"""

NARROWEST_FIELD = 100
# By WCAG 2.5.8.
SMALLEST_TARGET = 24


def faults(page, root="body"):
    """What cannot be reached, seen or used of what is open in that element."""
    return page.evaluate(FAULTS, [root, NARROWEST_FIELD, SMALLEST_TARGET])


def apart(page, *selectors):
    """Which of these lie over each other."""
    return page.evaluate(APART, list(selectors))
