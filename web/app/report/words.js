// What can be reported, why, and what is decided about it, in words for people.

import { language, t } from '../words/words.js';

export const KINDS = { get clip() { return t('Clip'); }, get comment() { return t('Comment'); }, get message() { return t('Message'); }, get person() { return t('Person'); } };

/** In the order in which they are offered. */
export const REASONS = {
  spam: { get title() { return t('Spam or a scam'); }, get hint() { return t('Advertising, the same again and again, or somebody after money or passwords'); } },
  harassment: { get title() { return t('Bullying or harassment'); }, get hint() { return t('Somebody is insulted, exposed or followed around'); } },
  hate: { get title() { return t('Hate'); }, get hint() { return t('Against people for who they are'); } },
  violence: { get title() { return t('Violence or threats'); }, get hint() { return t('It shows it, praises it or announces it'); } },
  nudity: { get title() { return t('Nudity or sex'); } },
  minors: { get title() { return t('A child is in danger'); }, get hint() { return t('Or is shown as no child may be'); } },
  self_harm: { get title() { return t('Suicide or self-harm'); } },
  illegal: { get title() { return t('Something illegal'); }, get hint() { return t('Drugs, weapons, stolen things'); } },
  misinformation: { get title() { return t('False information'); }, get hint() { return t('Something untrue that does harm'); } },
  rights: { get title() { return t('Stolen work, name or picture'); }, get hint() { return t('Used without the leave of whoever it belongs to'); } },
  other: { get title() { return t('Something else'); } },
};

// One that this page does not know yet comes from a newer server.
export const titleOf = (reason) => (Object.hasOwn(REASONS, reason) ? REASONS[reason] : REASONS.other).title;

export const dateOf = (text) => new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text));

/** What became of a report, for whoever made it. */
export const STATES = {
  get open() { return t('Moderators will look at it'); },
  get acted() { return t('Something was done about it'); },
  get dismissed() { return t('Nothing was found against the rules'); },
};

function removedText(kind) {
  switch (kind) {
    case 'clip': return t('Your clip was removed');
    case 'comment': return t('Your comment was removed');
    case 'message': return t('Your message was removed');
    default: return t('Your picture was removed');
  }
}

function warnedText(kind) {
  switch (kind) {
    case 'clip': return t('You were warned about a clip');
    case 'comment': return t('You were warned about a comment');
    case 'message': return t('You were warned about a message');
    default: return t('You were warned');
  }
}

/** A decision, to whoever it is about. */
export function headingOf({ kind, action, until }) {
  switch (action) {
    case 'remove': return removedText(kind);
    case 'age_limit': return t('Your clip is for adults only now');
    case 'limit_reach': return t('Your clip is recommended to nobody now');
    case 'warn': return warnedText(kind);
    case 'suspend': return until ? t('Your account was suspended until {date}', { date: dateOf(until) }) : t('Your account was suspended');
    default: return t('Nothing was found against the rules');
  }
}

/** The same, to moderators. */
export function doneOf({ action, until }) {
  switch (action) {
    case 'remove': return t('Removed');
    case 'age_limit': return t('For adults only');
    case 'limit_reach': return t('Reach limited');
    case 'warn': return t('Warned');
    case 'suspend': return until ? t('Suspended until {date}', { date: dateOf(until) }) : t('Suspended until it is taken back');
    default: return t('Nothing against the rules');
  }
}

export const SINCE = { get over() { return t('This is over.'); }, get reversed() { return t('This was taken back.'); } };
export const OUTCOMES = { get upheld() { return t('The decision stands.'); }, get reversed() { return t('The decision was taken back.'); } };

export const numberOf = (count) => new Intl.NumberFormat(language(), { notation: 'compact', maximumFractionDigits: 1 }).format(count);
