// What the browser does when a part was chosen, at the command line: node cut-file.mjs FILE FROM TO OUTPUT prints the part.

import { readFileSync, writeFileSync } from 'node:fs';
import { decoderConfigOf } from '../app/preparing/codecs.js';
import { cut, longestFrom, partOf, sizeOf } from '../app/preparing/cut.js';
import { readMovie } from '../app/preparing/movie.js';

const [, , input, from, to, output] = process.argv;
const movie = await readMovie(new Blob([readFileSync(input)]));
const part = partOf(movie, Number(from), Number(to));
const file = cut(movie, part);
writeFileSync(output, new Uint8Array(await file.arrayBuffer()));
const half = longestFrom(movie, movie.start, Infinity, sizeOf(movie, part) / 2);
let codec;
try {
  ({ codec } = decoderConfigOf(movie.video));
} catch (error) {
  codec = error.message;
}
console.log(JSON.stringify({
  from: part.from, to: part.to, size: file.size, most: sizeOf(movie, part), hasSound: Boolean(part.audio), codec,
  half: half - movie.start, halfSize: cut(movie, partOf(movie, movie.start, half)).size,
}));
