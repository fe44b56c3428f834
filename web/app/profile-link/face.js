// The face beside a name: its initial, and over that the picture, once it has come. It refuses to know whose profile it leads to.

import { loadStyles } from '../screens/screens.js';

// px. What is shown larger has the large picture.
const SMALL = 64;

export const initialOf = (name) => (Array.from(name ?? '')[0] ?? '?').toUpperCase();

/** The picture of an author, `side` px wide; null: there is none. Its colour is there before it is; where it does not come, it goes. */
export function imageOf({ picture } = {}, side = 46) {
  if (!picture) return null;
  loadStyles('/app/profile-link/names.css').catch(console.warn);
  const image = new Image(side, side);
  Object.assign(image, { className: 'face-picture', alt: '', loading: 'lazy', decoding: 'async', draggable: false });
  image.style.background = picture.color;
  image.addEventListener('error', () => image.remove());
  image.src = side > SMALL ? picture.large_url : picture.small_url;
  return image;
}

/** Lays the picture over what stands in a place for it. */
export function showFace(place, author, side) {
  const picture = imageOf(author, side);
  if (picture) place.append(picture);
}

/** Nothing for a screen reader: the name stands beside it. */
export function faceOf(author, side) {
  const face = document.createElement('span');
  face.className = 'avatar';
  face.setAttribute('aria-hidden', 'true');
  face.textContent = initialOf(author.name);
  showFace(face, author, side);
  return face;
}
