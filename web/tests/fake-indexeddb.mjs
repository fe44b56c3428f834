// As much of IndexedDB as the page uses, in memory: what is stored outlives a page, transactions are all or nothing.

const later = (act) => { setImmediate(act); };

class Request {
  constructor(act, transaction) {
    transaction?.begin();
    later(() => {
      this.result = act();
      this.onsuccess?.({ target: this });
      transaction?.end();
    });
  }
}

class Transaction {
  #pending = 0;
  #isOver = false;
  #rows;
  error = null;

  constructor(disk, name) {
    this.disk = disk;
    this.#rows = structuredClone(disk.rows);
    this.name = name;
    later(() => this.#finish());
  }

  objectStore() {
    const rows = this.#rows;
    const ask = (act) => new Request(act, this);
    const { disk } = this;
    return {
      transaction: this,
      getAll: () => ask(() => structuredClone([...rows.values()].sort((a, b) => a.number - b.number))),
      get: (number) => ask(() => structuredClone(rows.get(number))),
      delete: (number) => ask(() => rows.delete(number)),
      put: (row) => ask(() => rows.set(row.number, structuredClone(row))),
      add: (row) => ask(() => {
        disk.last += 1;
        rows.set(disk.last, { ...structuredClone(row), number: disk.last });
      }),
    };
  }

  begin() { this.#pending += 1; }

  end() {
    this.#pending -= 1;
    later(() => this.#finish());
  }

  abort(error = null) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.error = error;
    later(() => this.onabort?.());
  }

  #finish() {
    if (this.#isOver || this.#pending) return;
    if (this.name === 'readwrite' && this.disk.isFull && this.#rows.size > this.disk.rows.size) {
      this.abort(new DOMException('full', 'QuotaExceededError'));
      return;
    }
    this.#isOver = true;
    if (this.name === 'readwrite') this.disk.rows = this.#rows;
    this.oncomplete?.();
  }
}

/** `rows` by number; `isFull`: nothing more can be stored; `isOff`: it cannot be opened. */
export class Disk {
  rows = new Map();
  last = 0;
  isFull = false;
  isOff = false;

  get all() { return [...this.rows.values()].sort((a, b) => a.number - b.number); }

  open() {
    const request = { result: { transaction: (_, mode) => new Transaction(this, mode), createObjectStore: () => {}, close: () => {} } };
    later(() => {
      if (this.isOff) {
        request.error = new DOMException('off', 'InvalidStateError');
        request.onerror();
        return;
      }
      request.onupgradeneeded?.();
      request.onsuccess();
    });
    return request;
  }
}
