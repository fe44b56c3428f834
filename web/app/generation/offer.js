// What can be asked for, decided from the server's offer: which choice stands at first, what it costs, and what is in its way.

import { plural, t } from '../words/words.js';
import { aspectName, lasting, priceOf, renewalAfter } from './words.js';

const STYLES = ['none', 'cinematic', 'animation', 'realistic'];

/** Nobody makes videos here. */
export const isEmpty = (offer) => !offer?.lengths?.length || !offer?.aspects?.length;

const among = (all, wanted, otherwise) => (all.includes(wanted) ? wanted : otherwise);

/** As was wanted before, as far as it can be had. */
export function choiceFor(offer, { seconds, aspect, style } = {}) {
  const lengths = offer.lengths.map((length) => length.seconds);
  return {
    seconds: among(lengths, seconds, lengths[0]), aspect: among(offer.aspects, aspect, among(offer.aspects, '9:16', offer.aspects[0])),
    style: among(STYLES, style, 'none'),
  };
}

export const lengthIn = (offer, seconds) => offer.lengths.find((length) => length.seconds === seconds);

/** `busy`: as many are under way as may be; `credits`: today's are not enough; null: nothing is in the way. */
export function obstacleTo(offer, seconds) {
  if (offer.under_way >= offer.most_under_way) return 'busy';
  return (lengthIn(offer, seconds)?.credits ?? 0) > offer.credits_left ? 'credits' : null;
}

const leftOf = ({ credits_left: left, credits_per_day: all }) =>
  plural(all, 'You have {left} of {count} credit left today.', 'You have {left} of {count} credits left today.', { left });

const lackOf = ({ credits_left: left, credits_per_day: all }) => plural(all, 'You have {left} of {count} credit left today, which is not enough.',
  'You have {left} of {count} credits left today, which is not enough.', { left });

/** What one costs and how long it takes, in sentences, before anybody asks for it. */
export function termsOf(offer, seconds, now) {
  const length = lengthIn(offer, seconds);
  if (!length) return '';
  const price = `${priceOf(length.credits)}.`;
  switch (obstacleTo(offer, seconds)) {
    case 'busy': return [price, leftOf(offer), plural(offer.under_way,
      'One is being made for you, and that is as many as may be: wait for one, or cancel one.',
      '{count} are being made for you, and that is as many as may be: wait for one, or cancel one.')].join(' ');
    case 'credits': {
      const shorter = offer.lengths.some(({ credits }) => credits <= offer.credits_left);
      const time = renewalAfter(now);
      return [price, lackOf(offer), shorter ? t('Choose a shorter one, or come back after {time}, when the next day begins.', { time })
        : t('Come back after {time}, when the next day begins.', { time })].join(' ');
    }
    default: return [price, leftOf(offer), length.usual_ms > 0 ? t('It usually takes {time}.', { time: lasting(length.usual_ms) })
      : t('Nobody knows yet how long it takes.')].join(' ');
  }
}

/** `[value, title, hint]` of what can be chosen. */
export const lengthChoices = (offer) => offer.lengths.map(({ seconds, credits }) => [seconds, t('{seconds} s', { seconds }), priceOf(credits)]);
export const aspectChoices = (offer) => offer.aspects.map((aspect) => [aspect, aspectName(aspect), aspect]);
