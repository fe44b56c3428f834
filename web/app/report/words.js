// What can be reported, why, and what is decided about it, in words for people.

export const KINDS = { clip: 'Clip', comment: 'Comment', message: 'Message', person: 'Person' };

/** In the order in which they are offered. */
export const REASONS = {
  spam: { title: 'Spam or a scam', hint: 'Advertising, the same again and again, or somebody after money or passwords' },
  harassment: { title: 'Bullying or harassment', hint: 'Somebody is insulted, exposed or followed around' },
  hate: { title: 'Hate', hint: 'Against people for who they are' },
  violence: { title: 'Violence or threats', hint: 'It shows it, praises it or announces it' },
  nudity: { title: 'Nudity or sex' },
  minors: { title: 'A child is in danger', hint: 'Or is shown as no child may be' },
  self_harm: { title: 'Suicide or self-harm' },
  illegal: { title: 'Something illegal', hint: 'Drugs, weapons, stolen things' },
  misinformation: { title: 'False information', hint: 'Something untrue that does harm' },
  rights: { title: 'Stolen work, name or picture', hint: 'Used without the leave of whoever it belongs to' },
  other: { title: 'Something else' },
};

// One that this page does not know yet comes from a newer server.
export const titleOf = (reason) => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : REASONS.other).title;

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
export const dateOf = (text) => day.format(new Date(text));

/** What became of a report, for whoever made it. */
export const STATES = {
  open: 'Moderators will look at it',
  acted: 'Something was done about it',
  dismissed: 'Nothing was found against the rules',
};

/** A decision, to whoever it is about. */
export function headingOf({ kind, action, until }) {
  switch (action) {
    case 'remove': return `Your ${kind === 'person' ? 'picture' : kind} was removed`;
    case 'age_limit': return 'Your clip is for adults only now';
    case 'limit_reach': return 'Your clip is recommended to nobody now';
    case 'warn': return kind === 'person' ? 'You were warned' : `You were warned about a ${kind}`;
    case 'suspend': return until ? `Your account was suspended until ${dateOf(until)}` : 'Your account was suspended';
    default: return 'Nothing was found against the rules';
  }
}

/** The same, to moderators. */
export function doneOf({ action, until }) {
  switch (action) {
    case 'remove': return 'Removed';
    case 'age_limit': return 'For adults only';
    case 'limit_reach': return 'Reach limited';
    case 'warn': return 'Warned';
    case 'suspend': return until ? `Suspended until ${dateOf(until)}` : 'Suspended until it is taken back';
    default: return 'Nothing against the rules';
  }
}

export const SINCE = { over: 'This is over.', reversed: 'This was taken back.' };
export const OUTCOMES = { upheld: 'The decision stands.', reversed: 'The decision was taken back.' };

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
export const numberOf = (count) => compact.format(count);

/** A number with what it counts. */
export const counted = (count, one, many = `${one}s`) => `${numberOf(count)} ${count === 1 ? one : many}`;
