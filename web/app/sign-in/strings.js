// What a session's client calls itself, in words for people.

import { language, t } from '../words/words.js';

// The first that fits: every browser also says that it is others.
const BROWSERS = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'], [/\bOPR\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'], [/\bFxiOS\/|\bFirefox\//, 'Firefox'],
  [/\bCriOS\/|\bChrome\/|\bHeadlessChrome\//, 'Chrome'], [/\bSafari\//, 'Safari'],
];
const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'], [/\biPad\b/, 'iPad'], [/\bAndroid\b/, 'Android'], [/\bWindows\b/, 'Windows'], [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'], [/\bLinux\b/, 'Linux'],
];

const nameIn = (table, text) => table.find(([pattern]) => pattern.test(text))?.[1];

/** "Firefox on Android"; what is known of it, or what it said, or that it said nothing. */
export function deviceOf(client) {
  const [browser, system] = [nameIn(BROWSERS, client), nameIn(SYSTEMS, client)];
  if (browser && system) return t('{browser} on {system}', { browser, system });
  return browser ?? system ?? (client.trim().slice(0, 60) || t('Unknown device'));
}

export const dayOf = (date) => new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(new Date(date));
