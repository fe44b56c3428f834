// Which square of a picture is wanted, wherever fingers, a wheel or keys move it. It refuses to know pictures and screens: it counts
// in pixels of the picture, and is told ways as parts of the square.

// As often as that the picture may be larger than it has to be.
const MOST = 8;
const held = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

export class Crop {
  #width;
  #height;
  #zoom = 1;
  #x;
  #y;

  /** The largest square, in the middle. */
  constructor(width, height) {
    this.#width = width;
    this.#height = height;
    this.#x = (width - this.side) / 2;
    this.#y = (height - this.side) / 2;
  }

  get side() { return Math.min(this.#width, this.#height) / this.#zoom; }

  /** Its left and upper edge and its side, in pixels of the picture. */
  get square() { return { x: this.#x, y: this.#y, side: this.side }; }

  /** From 0, all of it that a square can have, to 1, as near as it goes. */
  get nearness() { return Math.log(this.#zoom) / Math.log(MOST); }

  set nearness(value) { this.zoom(MOST ** held(value, 0, 1) / this.#zoom); }

  /** The picture goes that way, as a part of the square's side. */
  move(right, down) {
    this.#x -= right * this.side;
    this.#y -= down * this.side;
    this.#hold();
  }

  /** That many times larger, about a point of the square, which stays where it is. */
  zoom(factor, x = 0.5, y = 0.5) {
    const before = this.side;
    this.#zoom = held(this.#zoom * factor, 1, MOST);
    this.#x += x * (before - this.side);
    this.#y += y * (before - this.side);
    this.#hold();
  }

  #hold() {
    this.#x = held(this.#x, 0, this.#width - this.side);
    this.#y = held(this.#y, 0, this.#height - this.side);
  }
}
