// Addresses that hear of what happens to the account: making one, what it hears of, its secret, and what became of messages.
// A page of the account screen. It refuses to know how messages are signed and sent.

import { el, Form } from '../account/form.js';
import { request, route } from '../api/api.js';
import { ask } from '../blocking/blocking.js';
import { copy } from '../clip-link/clip.js';
import { loadStyles } from '../screens/screens.js';
import { t } from '../words/words.js';
import { events as eventsOf, outcomeOf, stateOf, timeOf } from './words.js';

const PATH = '/account/webhooks';
// After a test: when it is looked what became of it.
const LOOKS_MS = [700, 1500, 3000, 6000, 12_000];

let count = 0;

/** `on`: the account screen. */
export async function fill(place, on) {
  const [{ items, most, verified }] = await Promise.all([request(PATH), loadStyles('/app/settings/page.css')]);
  if (on.signal.aborted) return;
  place.className = 'webhooks';
  const hooks = el('ul', { class: 'hooks', 'aria-label': t('Webhooks') });
  const add = (hook, secret) => hooks.append(new Hook(hook, on, secret).root);
  for (const hook of items) add(hook);
  place.append(
    el('p', { class: 'lead' }, t('A program of yours hears of what happens here: a small message goes to its address, signed as Standard Webhooks has it.')),
    hooks, ...more(most, verified, add, on));
  on.arrive();
}

/** One switch of a list; `change(isOn)` may throw, which takes it back. */
function switchOf(label, isOn, change, on) {
  count += 1;
  const box = el('input', { type: 'checkbox', role: 'switch', id: `webhook-${count}`, change: async () => {
    const wanted = box.checked;
    try {
      await change(wanted);
    } catch (error) {
      if (box.checked === wanted) box.checked = !wanted;
      on.say(error.detail ?? t('This was not saved. Please try again.'));
    }
  } });
  box.checked = isOn;
  return { box, root: el('li', {}, el('label', { for: box.id }, label), box) };
}

function more(most, isVerified, add, on) {
  if (!most) return [el('p', { class: 'none' }, t('This site sends no webhooks.'))];
  if (!isVerified) return [el('p', { class: 'hint' }, t('To add a webhook, confirm an e-mail address, connect another way to sign in, or add a passkey first.'))];
  return another(add, on);
}

function another(add, on) {
  const rows = eventsOf().map(([name, label]) => ({ name, ...switchOf(label, true, () => {}, on) }));
  const form = new Form({
    label: t('Add a webhook'), submit: t('Add a webhook'), busy: t('Adding it…'),
    fields: [{
      name: 'address', label: t('Address'), type: 'url', inputmode: 'url', autocomplete: 'off', maxlength: 1024,
      hint: t('It begins with https:// and is on the open network.'),
    }],
    send: async ({ address }) => {
      const events = rows.filter(({ box }) => box.checked).map(({ name }) => name);
      if (!events.length) throw Object.assign(new Error('events'), { detail: t('Choose what it hears of.') });
      const { webhook, secret } = await request(PATH, { method: 'POST', body: { address: address.trim(), events } });
      form.root.elements.address.value = '';
      add(webhook, secret);
      on.say(t('The webhook is there.'));
    },
  });
  form.root.querySelector('.field').after(el('ul', { class: 'switches', 'aria-label': t('What it hears of') }, ...rows.map(({ root }) => root)));
  return [el('h3', {}, t('Another webhook')), form.root];
}

class Hook {
  root;
  #hook;
  #on;
  #state = el('p', { class: 'state' });
  #power;
  #events;
  #secret = el('div', { class: 'once', hidden: true });
  #messages = el('ol', { class: 'messages', 'aria-label': t('Last messages'), hidden: true });
  #isBusy = false;

  /** `secret`: of one that was just made. */
  constructor(hook, on, secret) {
    this.#hook = hook;
    this.#on = on;
    this.#power = switchOf(t('On'), hook.enabled, (enabled) => this.#change({ enabled }), on);
    this.#events = eventsOf().map(([name, label]) => switchOf(label, hook.events.includes(name), (isOn) => this.#choose(name, isOn), on));
    const { address } = hook;
    const act = (words, what) => el('button', { type: 'button', 'aria-label': t('{act}: {address}', { act: words, address }), click: () => this.#once(what) }, words);
    this.root = el('li', { 'data-webhook': hook.id },
      el('p', { class: 'address', dir: 'auto' }, address), this.#state,
      el('ul', { class: 'switches' }, this.#power.root, ...this.#events.map(({ root }) => root)), this.#secret,
      el('p', { class: 'acts' }, act(t('Send a test'), () => this.#test()), act(t('Last messages'), () => this.#look()),
        act(t('New secret'), () => this.#renew()), act(t('Remove'), () => this.#remove())), this.#messages);
    this.#tell();
    if (secret) this.#show(secret);
  }

  /** One thing at a time; what fails is said. */
  async #once(what) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.root.setAttribute('aria-busy', 'true');
    try {
      await what();
    } catch (error) {
      this.#on.say(error.detail ?? t('This did not work. Please try again.'));
    }
    this.#isBusy = false;
    this.root.removeAttribute('aria-busy');
  }

  async #change(body) {
    this.#hook = await request(route`/account/webhooks/${this.#hook.id}`, { method: 'PATCH', body });
    this.#tell();
  }

  async #choose(name, isOn) {
    const events = eventsOf().map(([event]) => event).filter((event) => (event === name ? isOn : this.#hook.events.includes(event)));
    if (!events.length) throw Object.assign(new Error('events'), { detail: t('It has to hear of something. Switch it off instead.') });
    await this.#change({ events });
  }

  #tell() {
    this.#state.textContent = stateOf(this.#hook);
    this.#power.box.checked = this.#hook.enabled;
  }

  #show(secret) {
    const field = el('input', { readonly: true, value: secret, 'aria-label': t('Secret of {address}', { address: this.#hook.address }), dir: 'ltr', focus: () => field.select() });
    this.#secret.replaceChildren(
      el('p', {}, t('By this secret your program knows who writes. Keep it now: it is not shown again.')), field,
      el('button', { type: 'button', class: 'plain', click: async () => {
        await copy(secret);
        this.#on.say(t('The secret is copied.'));
      } }, t('Copy the secret')));
    this.#secret.hidden = false;
  }

  async #renew() {
    const isMeant = await ask(this.#on.app.stage, { title: t('Another secret?'), text: t('For a day messages are signed by the one before as well.'), yes: t('Make one') });
    if (!isMeant) return;
    const { secret } = await request(route`/account/webhooks/${this.#hook.id}/secret`, { method: 'POST' });
    this.#show(secret);
  }

  async #test() {
    await request(route`/account/webhooks/${this.#hook.id}/tests`, { method: 'POST' });
    this.#on.say(t('A test is on its way.'));
    this.#follow();
  }

  /** Until the newest message is no longer on its way. */
  async #follow() {
    for (const wait of LOOKS_MS) {
      await new Promise((resolve) => { setTimeout(resolve, wait); });
      if (this.#on.signal.aborted || !this.root.isConnected) return;
      try {
        const [newest] = await this.#look();
        if (newest?.state !== 'waiting') return;
      } catch {
        // The next look may find it.
      }
    }
  }

  async #look() {
    const { items } = await request(route`/account/webhooks/${this.#hook.id}/deliveries`, { signal: this.#on.signal });
    this.#messages.replaceChildren(...(items.length ? items.map((item) => el('li', { 'data-state': item.state },
      el('strong', {}, item.event), ' ', el('time', { datetime: item.created_at }, timeOf(item.created_at)), el('span', {}, outcomeOf(item))))
      : [el('li', {}, t('No message yet.'))]));
    this.#messages.hidden = false;
    return items;
  }

  async #remove() {
    const isMeant = await ask(this.#on.app.stage, { title: t('Remove the webhook?'), text: t('What waits for it is not sent any more.'), yes: t('Remove') });
    if (!isMeant) return;
    try {
      await request(route`/account/webhooks/${this.#hook.id}`, { method: 'DELETE' });
    } catch (error) {
      // It is gone already.
      if (error.status !== 404) throw error;
    }
    const next = this.root.nextElementSibling ?? this.root.previousElementSibling;
    const target = next?.querySelector('button') ?? this.root.closest('.webhooks').querySelector('form input');
    this.root.remove();
    target?.focus();
    this.#on.say(t('The webhook is removed.'));
  }
}
