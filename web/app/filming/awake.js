// Keeps the screen of the device on while somebody records or waits: a screen that goes off takes the camera.

export class Awake {
  #lock = null;
  #isWanted = false;

  async stay(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    if (!isWanted) return this.#release();
    try {
      this.#lock = await navigator.wakeLock?.request('screen') ?? null;
      // Not wanted any more meanwhile.
      if (!this.#isWanted) this.#release();
    } catch { /* the device saves its battery */ }
  }

  #release() {
    this.#lock?.release().catch(() => {});
    this.#lock = null;
  }
}
