// What is drawn of figures: a curve, and bars of days. Pictures alone: whoever asks for one says it in words or a table as well.

const SVG = 'http://www.w3.org/2000/svg';

function shape(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** As wide as its place; it begins where lines of text do. */
const picture = (width, ...children) => shape('svg', {
  viewBox: `0 0 ${width} 100`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, ...children);

/** How many are still there, second by second, in millionths; `end`: the second in which the clip ends. */
export function curve(shares, end) {
  const width = Math.max(1, shares.length - 1);
  const points = shares.map((share, second) => `${second},${(100 - share / 10_000).toFixed(2)}`);
  // One point is a line, too.
  if (points.length === 1) points.push(`1,${points[0].split(',')[1]}`);
  return picture(width,
    ...[25, 50, 75].map((y) => shape('path', { class: 'rule', d: `M0 ${y}H${width}` })),
    shape('path', { class: 'area', d: `M0 100L${points.join('L')}L${width} 100Z` }),
    shape('path', { class: 'line', d: `M${points.join('L')}` }),
    ...(end < width ? [shape('path', { class: 'end', d: `M${end} 0V100` })] : []));
}

/** A bar for each: `whole` high, of which `part` is filled. */
export function bars(rows) {
  const most = Math.max(1, ...rows.map(({ whole, part }) => Math.max(whole, part)));
  const bar = (name, index, count) => shape('rect', {
    class: name, x: index * 10 + 1, width: 8, y: 100 - (Math.max(0, count) / most) * 100, height: (Math.max(0, count) / most) * 100 });
  return picture(rows.length * 10, ...rows.flatMap(({ whole, part }, index) => [bar('whole', index, whole), bar('part', index, part)]));
}
