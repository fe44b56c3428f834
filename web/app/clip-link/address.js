// The address of the page follows the clip on the screen, so that whoever reloads, copies or keeps it has that clip. It takes
// the place of the one before: going back leaves the page, however many clips were watched.

import { linkTo, SECRET } from './clip.js';

/** @param {App} app */
export function follow(app) {
  const tell = () => {
    const clip = app.current();
    // A screen over the feed has the address while it is there.
    if (!clip || (location.hash && !SECRET.test(location.hash))) return;
    const address = linkTo(clip.id, clip.visibility === 'private');
    if (address === location.href) return;
    try {
      history.replaceState(history.state, '', address);
    } catch (error) {
      // WebKit takes a hundred in half a minute; the next clip tries again.
      console.info('address', error.message);
    }
  };
  app.stage.addEventListener('current', tell);
  addEventListener('popstate', tell);
  tell();
}
