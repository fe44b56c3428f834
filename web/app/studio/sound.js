// The one audio context of the record screen: the tick of the countdown, the mix of an assembly.

const TICK_S = 0.09;
const TICK_HZ = 880;
const LAST_TICK_HZ = 1320;
const VOLUME = 0.2;

export class Sound {
  #context = null;

  /** Made late: a browser wants a tap before it gives sound. */
  get context() {
    this.#context ??= new AudioContext();
    return this.#context;
  }

  /** One short tone, a higher one for the last second. */
  async tick(secondsLeft) {
    navigator.vibrate?.(30);
    const { context } = this;
    await context.resume();
    const tone = context.createOscillator();
    const volume = context.createGain();
    const end = context.currentTime + TICK_S;
    tone.frequency.value = secondsLeft > 1 ? TICK_HZ : LAST_TICK_HZ;
    volume.gain.setValueAtTime(VOLUME, context.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(end);
  }

  close() {
    this.#context?.close();
    this.#context = null;
  }
}
