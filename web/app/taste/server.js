// What For you goes by for this person, as the server keeps it.

import { request } from '../api/api.js';

const DISMISSALS = '/taste/dismissals';

export const loadTaste = () => request('/taste');
export const personalise = (on) => request('/taste', { method: 'PUT', body: { personalised: on } });
export const forgetTaste = () => request('/taste', { method: 'DELETE' });

/** `on`: less of it is wanted. `dismissal`: `{kind, subject}`. A page that is closed meanwhile does not take the wish with it. */
export const dismiss = ({ kind, subject }, on) => (on
  ? request(DISMISSALS, { method: 'POST', body: { kind, subject }, keepalive: true })
  : request(DISMISSALS, { method: 'DELETE', query: { kind, subject }, keepalive: true }));
