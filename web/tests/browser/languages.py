"""What a page says and where its texts stand, whatever language it speaks."""

import re

# Those with catalogues, and which way each is read.
DIRECTIONS = {"de": "ltr", "es": "ltr", "ar": "rtl"}

# What is there to be read in an element, and to be heard: texts and labels. What people write, names and what has a language
# of its own are theirs.
TEXTS = """(root) => {
  const OTHERS = '[dir=auto], [dir=ltr]:not(html), bdi, [lang]:not(html), kbd, code, .brand, .author, .handle, .caption, .avatar, .tile, #now, #time';
  const isThere = (element) => !element.closest('.page:not([aria-current])') && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const found = new Set();
  const top = document.querySelector(root);
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode;
    if (data.trim() && !element.closest(OTHERS) && !element.matches('script, style, template, noscript') && isThere(element)) found.add(data.trim());
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext']) {
    for (const element of top.querySelectorAll(`[${name}]`)) {
      if (!element.closest('.tile, .author, template') && isThere(element)) found.add(element.getAttribute(name).trim());
    }
  }
  return [...found];
}"""

# What goes beyond the window to the side: the page, what scrolls up and down alone, and texts that nothing shortens.
WIDE = """(root) => {
  // Rows that are moved to the side on purpose.
  const ROWS = '#tabs, .looks, .table';
  const faults = [];
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide`);
  const isThere = (element) => !element.closest('.visually-hidden, .page:not([aria-current]), [inert]')
    && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const nameOf = (element) => element.id || element.className || element.localName;
  const isShortened = (element) => {
    for (let outer = element; outer; outer = outer.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(outer);
      if (textOverflow === 'ellipsis' || (/auto|scroll/.test(overflowX) && outer.matches(ROWS))) return true;
    }
    return false;
  };
  const top = document.querySelector(root);
  for (const element of [top, ...top.querySelectorAll('*')]) {
    if (element.matches('textarea, input, select, script, style, template') || element.closest(ROWS) || !isThere(element)) continue;
    if (/auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1) {
      faults.push(`${nameOf(element)} scrolls to the side by ${element.scrollWidth - element.clientWidth} px`);
    }
  }
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    if (!node.data.trim() || !isThere(node.parentElement) || isShortened(node.parentElement)) continue;
    range.selectNodeContents(node);
    for (const { left, right, width } of range.getClientRects()) {
      if (width === 0 || (left >= -1 && right <= innerWidth + 1)) continue;
      faults.push(`“${node.data.trim().slice(0, 40)}” is from ${Math.round(left)} to ${Math.round(right)}`);
    }
  }
  return faults;
}"""


def speaking(language):
    """The script of a page whose person has chosen that language, unless they choose another one."""
    return "try { localStorage['clipfeed.language'] ??= '%s'; } catch { /* a page without storage */ }" % language


def settled(viewer, language="en"):
    """The feed is there, with all that comes behind the first clip, in that language."""
    viewer.expect_playing()
    page = viewer.page
    page.locator("#tabs").wait_for()
    page.locator("#messages[data-access=open]").wait_for()
    page.locator(".page[aria-current] .author .more").wait_for()
    if language != "en":
        page.wait_for_function("() => document.getElementById('sound').getAttribute('aria-label') !== 'Sound'")
    return viewer


def root_of(viewer):
    return viewer.page.evaluate("[document.documentElement.lang, document.documentElement.dir || 'ltr']")


def texts(page, root="body"):
    return set(page.evaluate(TEXTS, root))


def wide(page, root="body"):
    return page.evaluate(WIDE, root)


def same_sentences(english, other, captions=()):
    """What both pages say though it has more than two words and names no clip."""
    def is_sentence(text):
        return len(re.findall(r"[^\W\d_]{2,}", text)) > 2 and not any(caption in text for caption in captions)
    return {text for text in english & other if is_sentence(text)}
