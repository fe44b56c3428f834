// Recorded sessions (fixtures/**/*.trace): `<ms> <name>(<kind>) <field>=<word> …` is an event, indented behind it stand the
// commands that it causes, or `malformed`. The names are for people.

/** The lines without names: `event <ms> <words>`, `command <kind> <count> <fields>`, `malformed`. */
export function linesOf(text) {
  return text.trimEnd().split('\n').map((line) => {
    const match = /^(?: {2}|(\S+) )\w+\((-?\d+)\)(.*)$/.exec(line);
    if (!match) return line;
    const [, time, kind, rest] = match;
    const fields = rest.split(' ').slice(1).map((field) => field.split('=').at(-1));
    return [...(time === undefined ? ['command', kind, fields.length] : ['event', time, kind]), ...fields].join(' ');
  });
}
