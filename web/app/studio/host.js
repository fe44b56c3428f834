// One visit of the record screen: each command of the recording has one line here, each report one way
// back. It decides nothing.

import { Core, alarm } from '../core/core.js';
import { lengthOf, onPictures } from '../screens/clip-video.js';
import { t } from '../words/words.js';
import { Assembly } from './assembly.js';
import { Awake } from '../filming/awake.js';
import { Camera } from './camera.js';
import { fileName, recordedType } from '../filming/format.js';
import { uprightSize } from './geometry.js';
import { LookStrip } from './look-strip.js';
import { rememberLook, rememberedLook, tableOf } from './looks.js';
import { pictureOn } from './picture.js';
import { Recorder } from './recorder.js';
import { save } from './save.js';
import { Screen } from './screen.js';
import { watchKeys, watchShutter } from './shutter.js';
import { Sound } from './sound.js';
import { DOOR, OBSTACLE, RECORDING, STAGE, readClips, readList } from './wire.js';

// A minute of video, so that a clip that is begun can be ended.
const ROOM_BYTES = 40_000_000;
const full = () => t('Free some space on this device, or undo clips, then try again.');
const unfit = () => t('This browser cannot record video. Any current browser can.');

export class RecordingHost {
  isClosed = false;
  report = (kind, ...fields) => { if (!this.isClosed) this.#core.report(kind, ...fields); };
  #wake = alarm(() => this.report(RECORDING.woke));
  #commands = {
    wake: ({ instant }) => this.#wake(instant),
    useCamera: ({ camera }) => this.#camera.use(camera).then(() => this.#countCameras()),
    setTorch: ({ on }) => this.#camera.setTorch(on === 1),
    startCapture: ({ clip, camera, longest }) => this.#recorder.start(clip, this.#camera.stream, longest, this.#listStored),
    stopCapture: ({ clip }) => this.#recorder.stop(clip),
    dropClip: ({ clip }) => this.#recorder.drop(clip),
    storeList: (list) => this.#storeList(readList(list)),
    assemble: (list) => this.#assemble(readClips(list)),
    cancelAssembly: () => this.#assembly?.cancel(),
    showControls: (controls) => this.#show(controls),
    tick: ({ seconds }) => this.#sound.tick(seconds).catch(() => { /* it is seen, too */ }),
    askDiscard: () => this.#screen.ask(true),
    close: () => this.#close(),
    noticeClipLost: () => this.#screen.notice(t('A clip could not be recorded.')),
    noticeTooShort: () => this.#screen.notice(t('Too short. Hold the button, or tap to start and tap to stop.')),
  };
  #core;
  #files;
  #closed;
  #upload;
  #generate;
  #type = recordedType();
  #sound = new Sound();
  #awake = new Awake();
  #leaving = new AbortController();
  #listStored = Promise.resolve();
  #persisted = null;
  #assembly = null;
  #result = null;
  #obstacles = new Set();
  #screen;
  #video;
  #picture;
  #looks;
  #camera;
  #recorder;
  #shutter;

  /** `closed(done)`: the screen is gone; `done` resolves when nothing is written any more. `upload(file)` leaves
   *  for the upload screen, with a file or without, `generate()` for where clips are made from words. */
  constructor({ studio, files, closed, upload, generate }) {
    this.#files = files;
    this.#closed = closed;
    this.#upload = upload;
    this.#generate = generate;
    this.#core = new Core(studio, (command) => this.#commands[command.name](command), DOOR);
    this.#screen = new Screen(this.#taps());
    this.#video = this.#screen.part('camera');
    this.#picture = pictureOn(this.#screen.part('finder'));
    this.#screen.root.toggleAttribute('data-no-looks', !this.#picture.hasLooks);
    this.#looks = new LookStrip(this.root.querySelector('#tray-looks'), studio, rememberedLook(), (choice) => {
      rememberLook(choice);
      this.#picture.setLook(tableOf(studio, choice));
    });
    this.#picture.setLook(tableOf(studio, this.#looks.choice));
    this.#camera = new Camera(this.#video, this.report, (...obstacle) => this.#raise(...obstacle));
    this.#recorder = new Recorder(files, this.#type, this.report, () => this.#raise(OBSTACLE.storageFull, full()), lengthOf);
    this.#watch();
  }

  get root() {
    return this.#screen.root;
  }

  #taps() {
    const tell = (kind) => () => this.report(kind);
    const answer = (kind) => () => {
      this.#screen.ask(false);
      if (kind) this.report(kind);
    };
    const choices = {
      limit: (ms) => this.report(RECORDING.limitChosen, ms),
      speed: (percent) => this.report(RECORDING.speedChosen, percent),
      countdown: (seconds) => this.report(RECORDING.countdownChosen, seconds),
      look: (look) => this.#looks.chooseLook(look),
    };
    return {
      close: tell(RECORDING.closeTapped), discard: tell(RECORDING.closeTapped),
      flip: tell(RECORDING.flipTapped), torch: tell(RECORDING.torchTapped),
      undo: tell(RECORDING.undoTapped), undoCancelled: tell(RECORDING.undoCancelled),
      finish: tell(RECORDING.finishTapped), cancel: tell(RECORDING.assemblyCancelled), more: tell(RECORDING.returned),
      keep: answer(RECORDING.keepConfirmed), drop: answer(RECORDING.discardConfirmed), stay: answer(null),
      save: () => save(this.#result, this.#screen.result, (text) => this.#screen.notice(text)),
      upload: () => this.#upload(),
      generate: () => this.#generate(),
      post: () => this.#upload(new File([this.#result], fileName(this.#result.type), { type: this.#result.type })),
      retry: () => this.#retry(),
      chosen: (name, value) => choices[name](value),
      trayOpened: (name) => name === 'looks' && this.#looks.open(this.#video, this.#camera.isMirrored),
    };
  }

  #watch() {
    const { signal } = this.#leaving;
    const shutter = this.#screen.part('shutter');
    this.#shutter = watchShutter(shutter, {
      pressed: () => this.report(RECORDING.pressed), released: (held) => this.report(RECORDING.released, held),
    }, signal);
    watchKeys(this.#shutter, shutter, () => this.#escape(), signal);
    document.addEventListener('visibilitychange', () => this.#seen(!document.hidden), { signal });
    navigator.mediaDevices?.addEventListener('devicechange', () => this.#devicesChanged(), { signal });
    const fit = () => {
      const { videoWidth: width, videoHeight: height } = this.#video;
      if (this.#camera.stream && width) Object.assign(this.#screen.part('finder'), uprightSize({ width, height }));
    };
    for (const name of ['loadedmetadata', 'resize']) this.#video.addEventListener(name, fit);
    signal.addEventListener('abort', onPictures(this.#video, () => {
      if (this.#camera.stream) this.#picture.draw(this.#video, this.#camera.isMirrored);
    }));
    if (!this.#type) this.#raise(OBSTACLE.noCamera, unfit());
    this.#checkRoom();
    if (document.hidden) this.report(RECORDING.obstacleChanged, OBSTACLE.background, 1);
  }

  #escape() {
    if (this.#screen.isAsking) this.#screen.ask(false);
    else if (!this.#screen.openTray(null)) this.report(RECORDING.closeTapped);
  }

  #seen(isSeen) {
    this.report(RECORDING.obstacleChanged, OBSTACLE.background, isSeen ? 0 : 1);
    if (!isSeen) this.#camera.close();
  }

  // MARK: what stands in the way

  #raise(obstacle, sentence) {
    if (this.isClosed) return;
    this.#obstacles.add(obstacle);
    this.#screen.explain(obstacle, sentence);
    this.report(RECORDING.obstacleChanged, obstacle, 1);
  }

  #lower(obstacle) {
    if (this.#obstacles.delete(obstacle)) this.report(RECORDING.obstacleChanged, obstacle, 0);
  }

  async #retry() {
    if (this.#type) for (const obstacle of [...this.#obstacles]) this.#lower(obstacle);
    await this.#checkRoom();
  }

  #devicesChanged() {
    this.#countCameras();
    if (!this.#type) return;
    this.#lower(OBSTACLE.noCamera);
    this.#lower(OBSTACLE.interruption);
  }

  async #countCameras() {
    this.#screen.allowFlip(await this.#camera.hasSeveral());
  }

  async #checkRoom() {
    const { quota, usage = 0 } = await navigator.storage?.estimate?.().catch(() => ({})) ?? {};
    if (quota && quota - usage < ROOM_BYTES) this.#raise(OBSTACLE.storageFull, full());
    else this.#lower(OBSTACLE.storageFull);
  }

  // MARK: what is carried out

  #show(controls) {
    this.#screen.show(controls);
    this.#awake.stay(controls.stage >= STAGE.counting && controls.stage <= STAGE.assembling);
    if (controls.stage !== STAGE.finished && this.#result) {
      this.#result = null;
      this.#screen.showResult(null);
    }
  }

  #storeList(list) {
    this.#screen.showList(list);
    this.#listStored = this.#files.storeList(list);
    this.#listStored.catch((error) => {
      console.error('the list of clips was not written', error);
      this.#raise(OBSTACLE.storageFull, full());
    });
    // What is not finished must not be cleared away; but a browser may ask, so not in the middle of a clip.
    if (list.clips.some(({ captured }) => captured)) {
      this.#persisted ??= navigator.storage?.persist?.().catch(() => {});
    }
  }

  async #assemble(clips) {
    this.#camera.close();
    this.#screen.showShare(0);
    const assembly = new Assembly({
      files: this.#files, canvas: this.#screen.part('finder'), picture: this.#picture,
      context: this.#sound.context, type: this.#type, progressed: (share) => this.#screen.showShare(share),
    });
    this.#assembly = assembly;
    try {
      const file = await assembly.make(clips);
      this.#result = file;
      this.report(RECORDING.assembled);
      this.#screen.showResult(file);
    } catch (error) {
      if (this.isClosed || error.name === 'AbortError') return;
      console.error(error);
      this.#screen.notice(t('The video could not be made. Your clips are all still here.'));
      this.report(RECORDING.assemblyFailed);
    } finally {
      if (this.#assembly === assembly) this.#assembly = null;
    }
  }

  #close() {
    this.isClosed = true;
    this.#assembly?.cancel();
    this.#leaving.abort();
    this.#camera.close();
    this.#awake.stay(false);
    this.#looks.free();
    this.#picture.free();
    this.#sound.close();
    this.#screen.free();
    // NB: a last `storeList` may follow in this turn.
    const done = Promise.resolve().then(() => Promise.allSettled([this.#recorder.finished(), this.#listStored]));
    this.#closed(done);
  }
}
