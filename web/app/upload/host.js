// One upload, from the choice of a file to the clip: each command of the machine has one line here, each report
// one way back. It decides nothing, and goes on whether its screen is open or not.

import { ApiError } from '../api/api.js';
import { signedIn } from '../auth/auth.js';
import { Core, alarm } from '../core/core.js';
import { BLANK, patchOf, wireDetails } from './details.js';
import { factsOf, mediaType } from './file.js';
import { hashOf } from './hash.js';
import { lastUplink, rememberUplink } from './uplink.js';
import * as server from './server.js';
import { Codes, UnreadableFile, failureOf, isAnswer, isOfContent } from './errors.js';
import {
  DOOR, EMPTY_SCREEN, KIND, PHASE, REASON, UPLOAD, hashWords, hexOf, randomWords, sourceFields,
  wasPublishRequested,
} from './wire.js';

const FULL_PERMILLE = 1000;

const accountNow = () => signedIn()?.id ?? null;

export class UploadHost {
  // What a screen shows beside the machine's `screen`.
  screen = EMPTY_SCREEN;
  name = '';
  file = null;
  details = BLANK;
  isPublishRequested = false;
  /** Too much of a file of which a part would do: `{movie, longest, largest}`, of what `useTrim` is given a part. */
  trim = null;
  /** Another file than the one that is waited for was chosen. */
  isOtherFile = false;
  /** After a reload nobody has to choose the file again. */
  isFileKept = true;
  /** What the chosen file says of AI, once another one is made of it that does not say so itself. */
  sourceType = null;
  /** `{code, detail}` in the server's words, of the last thing that went wrong. */
  problem = null;
  /** The server's word on the clip that is being made. */
  clip = null;
  #wake = alarm(() => this.#report(UPLOAD.woke));
  #commands = {
    wake: ({ instant }) => this.#wake(instant),
    store: ({ words }) => this.#store?.save({ words, name: this.name, details: this.details, sourceType: this.sourceType, owner: this.#owner }),
    forget: () => this.#store?.clear(),
    findFile: ({ size }) => { this.#find(size); },
    noticeOtherFile: () => { this.#refuseFile(); },
    compress: ({ call, file, target }) => { this.#compress(call, file, target); },
    offerTrim: (offer) => { this.#offerTrim(offer); },
    hash: ({ call, file }) => { this.#hash(call, file); },
    dropFile: ({ file }) => { this.#files.delete(file); },
    stopWork: ({ call }) => this.#stop(call),
    create: ({ call, keyHigh, keyLow, size, kind, hash }) => {
      const upload = {
        size_bytes: size, sha256: hexOf(hash), type: mediaType(kind), details: wireDetails(this.details),
        ...(this.sourceType ? { digital_source_type: this.sourceType } : {}),
      };
      this.#ask(call, (signal) => server.create(upload, hexOf([keyHigh, keyLow]), signal));
    },
    ask: ({ call }) => this.#ask(call, (signal) => server.stateOf(this.#id, signal)),
    sendBytes: ({ call, offset, size }) => {
      this.#send(call, offset, size, async (bytes, signal, sent) => {
        this.#requireOwner();
        const reached = await server.append(this.#id, bytes, offset, signal, sent);
        return () => this.#report(UPLOAD.bytesTaken, call, reached);
      });
    },
    sendPart: ({ call, part, offset, size }) => {
      this.#send(call, offset, size, async (bytes, signal, sent) => {
        await this.#parts.send(part, bytes, signal, sent);
        return () => this.#report(UPLOAD.partTaken, call);
      });
    },
    commit: ({ call }) => this.#follow(call, async (signal) => {
      this.#requireOwner();
      await this.#tellDetails(signal);
      return server.commit(this.#id, signal);
    }),
    poll: ({ call }) => this.#follow(call, async (signal) => {
      // What is said about the clip must not hold up the news of it; the next question tries again.
      await this.#tellDetails(signal).catch(() => {});
      return server.stateOf(this.#id, signal);
    }),
    terminate: ({ call }) => { this.#terminate(call); },
    abandon: ({ call }) => this.#stop(call),
    askSignIn: () => { this.#seekSession(); },
  };
  #core;
  #exports;
  #store;
  #changed;
  #id = '';
  // What the server was told of the clip.
  #known = null;
  #telling = Promise.resolve();
  // Where bytes go straight to the storage; null as long as no server has said so.
  #parts = null;
  #codes = new Codes();
  // By call: what gives it up.
  #running = new Map();
  #line = Promise.resolve();
  // By their numbers: what was chosen, and what was made of it.
  #files = new Map();
  #lastFile = 0;
  // What is stored for another page.
  #kept = null;
  // The container of the chosen file; a part of it has the same.
  #kind = KIND.unknown;
  #leaving = new AbortController();
  // The account that chose the file; a guest's goes along into an account.
  #owner = null;
  #session = null;

  /** `exports` are those of upload.wasm; `store` may be null; `changed(upload)` is told of whatever a screen shows. */
  constructor({ exports, store, changed }) {
    this.#store = store;
    this.#changed = changed;
    this.#exports = exports;
    exports.upload_reset();
    this.#core = new Core(exports, (command) => this.#take(command), DOOR);
    const { signal } = this.#leaving;
    addEventListener('online', () => this.#report(UPLOAD.networkChanged, 1), { signal });
    addEventListener('offline', () => this.#report(UPLOAD.networkChanged, 0), { signal });
    // Making a clip smaller needs codecs or a recorder; for a shorter one its samples are taken as they are.
    const canCompress = ['VideoEncoder', 'MediaRecorder'].some((name) => name in globalThis);
    this.#report(UPLOAD.opened, ...randomWords(), Number(canCompress), 1);
    this.#report(UPLOAD.uplinkMeasured, lastUplink());
    if (!navigator.onLine) this.#report(UPLOAD.networkChanged, 0);
  }

  /** Goes on with what an earlier page stored. */
  restore({ words, name, details, sourceType = null, owner = accountNow() }) {
    this.#owner = owner;
    Object.assign(this, { name, details: { ...BLANK, ...details }, sourceType, isPublishRequested: wasPublishRequested(words) });
    this.#report(UPLOAD.restored, ...words);
    // The machine of this page does not know such words any more.
    if (this.screen.phase === PHASE.empty) this.#take({ name: 'forget' });
  }

  /** The person chose it. */
  async choose(file) {
    const facts = await factsOf(file);
    if (this.#leaving.signal.aborted) return;
    const isFirst = this.screen.phase === PHASE.empty;
    this.isOtherFile = false;
    // Of a file that was made of another one before.
    this.sourceType = null;
    this.file = file;
    this.#kind = facts.kind;
    if (isFirst) {
      this.name = file.name;
      this.#owner = accountNow();
    }
    this.#report(UPLOAD.fileChosen, ...sourceFields({ number: this.#number(file), ...facts }));
    this.#changed(this);
  }

  describe(change) {
    this.details = { ...this.details, ...change };
    this.#store?.saveDetails(this.details).catch((error) => console.warn('the caption is not kept', error));
    this.#changed(this);
  }

  /** The form is complete for now. What has been published already is told at once. */
  tellDetails() {
    if (this.screen.phase !== PHASE.processing && this.screen.phase !== PHASE.published) return;
    this.#tellDetails(this.#leaving.signal).catch((error) => {
      if (isAnswer(error)) this.problem = error;
      this.#changed(this);
    });
  }

  publish() {
    this.isPublishRequested = true;
    this.#report(UPLOAD.publishRequested);
    this.#changed(this);
  }

  pause() { this.#report(UPLOAD.pauseTapped); }

  resume() { this.#report(UPLOAD.resumeTapped); }

  retry() {
    this.problem = null;
    this.#report(UPLOAD.retryTapped);
  }

  /** Nobody has to sign in for that. */
  cancel() {
    this.#report(UPLOAD.cancelTapped);
    this.#report(UPLOAD.signedIn);
  }

  /** The person has chosen this part of the file. */
  useTrim(part) { this.trim?.resolve(part); }

  /** By which the server knows the upload; whoever has it owns the clip. Empty until the server has told it. */
  get id() {
    return this.#id;
  }

  get hasEnded() {
    return this.screen.phase >= PHASE.published;
  }

  /** Bytes that only this page can send are missing. */
  get lacksBytes() {
    const { phase, acknowledged, total } = this.screen;
    return (phase === PHASE.failed || (phase >= PHASE.hashing && phase < PHASE.complete)) && acknowledged < total;
  }

  /** The server's code behind `screen.code`. */
  get code() {
    return this.#codes.codeOf(this.screen.code) || this.problem?.code;
  }

  /** Resolved when nothing is written any more. */
  free() {
    this.#leaving.abort();
    for (const call of [...this.#running.keys()]) this.#stop(call);
    return this.#line;
  }

  #report(kind, ...fields) {
    this.#core.report(kind, ...fields);
  }

  /** What is shown and when to wake can be said at once. All else waits until what it relies on is stored. */
  #take(command) {
    const { name, ...fields } = command;
    if (name === 'show') {
      this.screen = fields;
      if (this.screen.speed) rememberUplink(this.screen.speed);
      this.#changed(this);
      return;
    }
    if (name === 'wake') {
      this.#commands.wake(command);
      return;
    }
    this.#line = this.#line.then(() => this.#commands[name]?.(command))
      // NB: where nothing can be stored, an upload that does not outlive the page is better than none.
      .catch((error) => console.error(`upload: ${name}`, error));
  }

  /** `work(signal)` until it is given up; then neither its answer nor its failure is told. */
  async #run(call, work, failed) {
    const giveUp = new AbortController();
    this.#running.set(call, giveUp);
    let report = () => {};
    try {
      const answer = await work(giveUp.signal);
      report = () => answer();
    } catch (error) {
      report = () => failed(error);
    }
    if (giveUp.signal.aborted) return;
    this.#running.delete(call);
    report();
  }

  #stop(call) {
    this.#running.get(call)?.abort();
    this.#running.delete(call);
  }

  // MARK: the session

  get #isOwners() {
    return !this.#owner || this.#owner === accountNow();
  }

  /** NB: to another account the upload is gone, and what is gone begins anew: it would be their clip. */
  #requireOwner() {
    if (!this.#isOwners) throw new ApiError({ status: 401 });
  }

  async #seekSession() {
    try {
      const { Session } = await import('./session/session.js');
      this.#session ??= new Session({ isOwners: () => this.#isOwners, signal: this.#leaving.signal, found: () => this.#report(UPLOAD.signedIn) });
      this.#session.seek();
    } catch (error) {
      console.warn('the upload goes on after a reload', error);
    }
  }

  // MARK: the file

  async #find(size) {
    const file = await this.#store?.file().catch(() => null);
    if (file?.size === size && !this.file && !this.#leaving.signal.aborted) await this.#findAgain(file);
  }

  async #findAgain(file) {
    const facts = await factsOf(file);
    if (this.#leaving.signal.aborted || this.file) return;
    this.file = this.#kept = file;
    this.#report(UPLOAD.fileChosen, ...sourceFields({ number: this.#number(file), ...facts }));
    this.#changed(this);
  }

  #number(file) {
    this.#lastFile += 1;
    this.#files.set(this.#lastFile, file);
    return this.#lastFile;
  }

  async #keep(file) {
    this.#kept = file;
    this.isFileKept = await this.#store?.keepFile(file) ?? false;
    // It ended meanwhile.
    if (this.hasEnded) await this.#store?.dropFile().catch(() => {});
    this.#changed(this);
  }

  async #refuseFile() {
    this.file = this.#kept = null;
    this.isOtherFile = true;
    this.#changed(this);
    await this.#store?.dropFile().catch(() => {});
  }

  #loseFile(call) {
    this.file = this.#kept = null;
    this.#store?.dropFile().catch(() => {});
    this.#report(UPLOAD.fileUnreadable, call);
  }

  /** Waits for the person, however long they take; what cannot be cut here is for them to do elsewhere. */
  #offerTrim({ call, file: number, longest, largest }) {
    return this.#run(call, async (signal) => {
      const [{ readMovie }, { cut }] = await Promise.all([import('../preparing/movie.js'), import('../preparing/cut.js')]);
      const sourceType = await this.#sourceTypeOf(number, signal);
      const movie = await readMovie(this.#files.get(number));
      signal.throwIfAborted();
      const part = await new Promise((resolve, reject) => {
        signal.addEventListener('abort', reject, { once: true });
        this.trim = { movie, longest, largest, resolve };
        this.#changed(this);
      }).finally(() => { this.trim = null; });
      const file = cut(movie, part);
      const facts = { size: file.size, duration: Math.round((part.to - part.from) * 1000), kind: this.#kind };
      return () => this.#usePrepared(call, file, facts, sourceType);
    }, (error) => this.#goWithout(call, error));
  }

  #compress(call, number, target) {
    return this.#run(call, async (signal) => {
      const { smaller } = await import('../preparing/smaller.js');
      const sourceType = await this.#sourceTypeOf(number, signal);
      const file = await smaller(this.#files.get(number), target, signal, this.#progress(call));
      // Perhaps in another container than the chosen one.
      const facts = await factsOf(file);
      return () => this.#usePrepared(call, file, facts, sourceType);
    }, (error) => this.#goWithout(call, error));
  }

  /** As that file says, or the one that it was made of. */
  async #sourceTypeOf(number, signal) {
    const { sourceTypeOf, stronger } = await import('../preparing/marks.js');
    return stronger(this.sourceType, await sourceTypeOf(this.#files.get(number), this.#exports, signal));
  }

  #usePrepared(call, file, facts, sourceType) {
    // NB: before the machine has this stored, so that another page knows it, too.
    this.sourceType = sourceType;
    this.#report(UPLOAD.prepared, call, ...sourceFields({ number: this.#number(file), ...facts }));
  }

  #goWithout(call, error) {
    console.warn('this file goes as it is', error);
    this.#report(UPLOAD.prepareFailed, call);
  }

  /** Tells how far a piece of work is, a share of 1. */
  #progress(call) {
    let reported = -1;
    return (share) => {
      const permille = Math.floor(share * FULL_PERMILLE);
      if (permille === reported || !this.#running.has(call)) return;
      reported = permille;
      this.#report(UPLOAD.workProgressed, call, permille);
    };
  }

  /** This is the file that goes up: the chosen one, or what was made of it. */
  #hash(call, number) {
    this.file = this.#files.get(number) ?? this.file;
    if (this.file !== this.#kept) this.#keep(this.file);
    this.#changed(this);
    return this.#run(call, async (signal) => {
      const hash = hashWords(await hashOf(this.file, signal, this.#progress(call)));
      return () => this.#report(UPLOAD.hashed, call, ...hash);
    }, () => this.#loseFile(call));
  }

  // MARK: requests

  #fail(call, error) {
    const { reason, detail, retryAfter } = failureOf(error, (code) => this.#codes.numberOf(code));
    this.problem = isAnswer(error) ? error : null;
    this.#report(UPLOAD.failed, call, reason, detail, retryAfter);
  }

  /** A request of which the answer says where the upload stands. */
  #ask(call, request) {
    this.#run(call, async (signal) => {
      // What is cancelled is only found, to be ended.
      if (this.screen.phase !== PHASE.cancelling) this.#requireOwner();
      const upload = await request(signal);
      if (upload.direct) this.#parts ??= new (await import('./direct/parts.js')).Parts();
      return () => this.#tell(call, upload, true);
    }, (error) => this.#fail(call, error));
  }

  /** The same once all bytes are there. */
  #follow(call, request) {
    this.#run(call, async (signal) => {
      const upload = await request(signal).catch((error) => {
        if (error.code !== 'upload_closed' && !isOfContent(error)) throw error;
        return server.stateOf(this.#id, signal);
      });
      return () => this.#tell(call, upload, false);
    }, (error) => this.#fail(call, error));
  }

  #tell(call, { id, state, offset, parts, direct, details, clip, problem }, mayReceive) {
    this.#id = id;
    this.#known = details ?? this.#known;
    this.clip = clip ?? this.clip;
    if (state === 'receiving' && mayReceive) {
      const byParts = this.#parts?.take(direct);
      if (byParts) this.#report(UPLOAD.receivingParts, call, ...byParts);
      else this.#report(UPLOAD.receiving, call, offset, parts?.minimum_bytes ?? 0, parts?.maximum_bytes ?? 0);
    } else if (state === 'processing') {
      const ready = (clip?.renditions ?? []).filter((rendition) => rendition.state === 'ready');
      this.#report(UPLOAD.processing, call, clip?.permille ?? 0, ready.length);
    } else if (state === 'published') this.#report(UPLOAD.published, call);
    else if (state === 'refused') {
      this.problem = problem ?? null;
      this.#report(UPLOAD.refused, call, this.#codes.numberOf(problem?.code ?? ''));
    } else this.#report(UPLOAD.failed, call, REASON.serverBusy, 0, 0);
  }

  /** `send(bytes, signal, sent)` sends them, and answers how to report it. */
  #send(call, offset, size, send) {
    return this.#run(call, async (signal) => {
      const bytes = await this.file.slice(offset, offset + size).arrayBuffer().catch(() => { throw new UnreadableFile(); });
      const sent = (count) => { if (this.#running.has(call)) this.#report(UPLOAD.bytesSent, call, count); };
      return send(bytes, signal, sent);
    }, (error) => {
      if (error instanceof UnreadableFile) this.#loseFile(call);
      // Its state says why; the machine asks for that after an offset that was wrong.
      else if (isOfContent(error)) this.#report(UPLOAD.failed, call, REASON.offsetMismatch, -1, 0);
      else this.#fail(call, error);
    });
  }

  #terminate(call) {
    return this.#run(call, async (signal) => {
      try {
        await server.terminate(this.#id, signal);
      } catch (error) {
        if (error.code !== 'upload_closed') throw error;
        // It is a clip already.
        const upload = await server.stateOf(this.#id, signal);
        return () => this.#tell(call, upload, false);
      }
      return () => this.#report(UPLOAD.terminated, call);
    }, (error) => this.#fail(call, error));
  }

  /** One after the other: of two on their way at once, the older could arrive last. */
  #tellDetails(signal) {
    const telling = this.#telling.then(async () => {
      const wanted = wireDetails(this.details);
      const patch = patchOf(this.#known, wanted);
      if (!patch || !this.#id) return;
      await server.describe(this.#id, patch, signal);
      this.#known = wanted;
    });
    this.#telling = telling.catch(() => {});
    return telling;
  }
}
