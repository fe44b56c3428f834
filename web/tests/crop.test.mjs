import assert from 'node:assert/strict';
import test from 'node:test';
import { Crop } from '../app/profile/crop.js';

const near = (crop, x, y, side) => {
  for (const [name, value] of Object.entries({ x, y, side })) {
    assert.ok(Math.abs(crop.square[name] - value) < 1e-6, `${name}: ${crop.square[name]} is not ${value}`);
  }
};

test('the largest square lies in the middle', () => {
  near(new Crop(400, 300), 50, 0, 300);
  near(new Crop(300, 400), 0, 50, 300);
  near(new Crop(1, 1), 0, 0, 1);
});

test('a picture that is dragged to the right shows what is left of it, up to its edge', () => {
  const crop = new Crop(400, 300);
  crop.move(0.1, 0);
  near(crop, 20, 0, 300);
  crop.move(5, 5);
  near(crop, 0, 0, 300);
  crop.move(-5, -5);
  near(crop, 100, 0, 300);
});

test('a point of the square stays where it is while the picture becomes larger', () => {
  const crop = new Crop(400, 400);
  crop.zoom(2, 0.25, 0.75);
  near(crop, 50, 150, 200);
  // 100 and 300 in the picture, before and now.
  assert.equal(crop.square.x + 0.25 * crop.square.side, 100);
  assert.equal(crop.square.y + 0.75 * crop.square.side, 300);
  crop.zoom(0.001);
  near(crop, 0, 0, 400);
});

test('nobody comes nearer than there is something to be seen', () => {
  const crop = new Crop(800, 800);
  crop.zoom(1e9);
  near(crop, 350, 350, 100);
  assert.equal(crop.nearness, 1);
  crop.nearness = 0;
  near(crop, 0, 0, 800);
  crop.nearness = 7;
  assert.ok(Math.abs(crop.square.side - 100) < 1e-6);
});

test('whatever fingers do, the square is inside', () => {
  let seed = 7;
  const random = () => { seed = (seed * 48271) % 2147483647; return seed / 2147483647; };
  for (const [width, height] of [[4000, 3000], [30, 9000], [1, 5]]) {
    const crop = new Crop(width, height);
    for (let step = 0; step < 2000; step += 1) {
      if (random() < 0.5) crop.move(random() * 4 - 2, random() * 4 - 2); else crop.zoom(random() * 3, random(), random());
      const { x, y, side } = crop.square;
      assert.ok(side > 0 && x >= 0 && y >= 0 && x + side <= width + 1e-6 && y + side <= height + 1e-6, `${x} ${y} ${side}`);
    }
  }
});
