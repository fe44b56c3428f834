// What was turned without a network (docs/design/offline.md): it shows as it was turned, and is told to the server later.

import { attach, onRefused, onSent, waiting } from '../outbox/outbox.js';

/** `take(name, answer)` hears the server's word on a toggle, `refused(name, on)` that it was not saved so; `paint()` shows it. Answers what
 *  looks again whose toggles wait.
 *  @param {App} app */
export function watchWaiting(app, activity, { take, refused, paint }) {
  onSent(({ place, isState }, answer) => { if (isState) take(place, answer); });
  onRefused(({ place, isState, method }) => {
    if (!isState) return;
    activity.forget(place);
    refused(place, method === 'PUT');
    paint();
  });
  attach(app);
  return async () => {
    for (const { place, isState, method } of await waiting()) if (isState) activity.recall(place, method === 'PUT');
    paint();
  };
}
