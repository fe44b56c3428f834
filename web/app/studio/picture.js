// Draws pictures, mostly of a video, on a canvas, through a look where the browser has WebGL 2, plainly where
// it has not. A look is a table of 33 steps per channel (docs/design/studio.md).

import { coverOf } from './geometry.js';

const EDGE = 33;

const VERTEX = `#version 300 es
uniform vec4 part; // of the picture: left, top, width, height
out vec2 place;
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  place = part.xy + part.zw * vec2(0.5 + 0.5 * corner.x, 0.5 - 0.5 * corner.y);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

// The middle of the first entry stands for 0 and that of the last for 1.
const FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler3D;
uniform sampler2D picture;
uniform sampler3D look;
uniform bool hasLook;
in vec2 place;
out vec4 colour;
void main() {
  vec3 plain = texture(picture, place).rgb;
  colour = vec4(hasLook ? texture(look, plain * ${EDGE - 1}.0 / ${EDGE}.0 + 0.5 / ${EDGE}.0).rgb : plain, 1.0);
}`;

/** The size of what is drawn: a video, or a canvas. */
const sizeOf = ({ videoWidth, videoHeight, width, height }) =>
  (videoWidth === undefined ? { width, height } : { width: videoWidth, height: videoHeight });

class LookedPicture {
  hasLooks = true;
  #gl;
  #canvas;
  #part;
  #hasLook;
  #table = null;
  #lost = (event) => event.preventDefault();
  #restored = () => this.#build();

  constructor(canvas, gl) {
    this.#canvas = canvas;
    this.#gl = gl;
    canvas.addEventListener('webglcontextlost', this.#lost);
    canvas.addEventListener('webglcontextrestored', this.#restored);
    this.#build();
  }

  #build() {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.uniform1i(gl.getUniformLocation(program, 'look'), 1);
    this.#part = gl.getUniformLocation(program, 'part');
    this.#hasLook = gl.getUniformLocation(program, 'hasLook');
    this.#texture(gl.TEXTURE1, gl.TEXTURE_3D);
    this.#texture(gl.TEXTURE0, gl.TEXTURE_2D);
    this.setLook(this.#table);
  }

  #texture(unit, kind) {
    const gl = this.#gl;
    gl.activeTexture(unit);
    gl.bindTexture(kind, gl.createTexture());
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(kind, filter, gl.LINEAR);
    for (const wrap of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R]) {
      gl.texParameteri(kind, wrap, gl.CLAMP_TO_EDGE);
    }
  }

  /** A table of 8-bit entries; null: colours as they are. */
  setLook(table) {
    const gl = this.#gl;
    this.#table = table;
    gl.uniform1i(this.#hasLook, table ? 1 : 0);
    const entries = table ?? new Uint8Array(4);
    const edge = table ? EDGE : 1;
    gl.activeTexture(gl.TEXTURE1);
    gl.texImage3D(gl.TEXTURE_3D, 0, gl.RGBA8, edge, edge, edge, 0, gl.RGBA, gl.UNSIGNED_BYTE, entries);
    gl.activeTexture(gl.TEXTURE0);
  }

  draw(source, isMirrored = false) {
    const gl = this.#gl;
    const size = sizeOf(source);
    if (gl.isContextLost() || !size.width) return;
    const { x, y, width, height } = coverOf(size, this.#canvas);
    gl.viewport(0, 0, this.#canvas.width, this.#canvas.height);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source);
    gl.uniform4f(this.#part, isMirrored ? x + width : x, y, isMirrored ? -width : width, height);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  free() {
    this.#canvas.removeEventListener('webglcontextlost', this.#lost);
    this.#canvas.removeEventListener('webglcontextrestored', this.#restored);
    // Frees textures and program with it, now and not when the canvas is collected.
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}

/** Without looks: where there is no WebGL 2, and for a picture that is kept. */
export class PlainPicture {
  hasLooks = false;
  #canvas;
  #context;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: false });
  }

  setLook() {}

  draw(source, isMirrored = false) {
    const size = sizeOf(source);
    if (!size.width) return;
    const { width, height } = this.#canvas;
    const part = coverOf(size, this.#canvas);
    this.#context.setTransform(isMirrored ? -1 : 1, 0, 0, 1, isMirrored ? width : 0, 0);
    this.#context.drawImage(source, part.x * size.width, part.y * size.height,
      part.width * size.width, part.height * size.height, 0, 0, width, height);
  }

  free() {}
}

/** `canvas` must be a fresh one: it can have one kind of context only. */
export function pictureOn(canvas) {
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
  return gl ? new LookedPicture(canvas, gl) : new PlainPicture(canvas);
}
