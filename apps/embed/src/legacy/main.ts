// The legacy page's module: the Scheduler page inserts /legacy/index.html into its content area and then appends this
// script.
import {
  compareNames,
  isoDate,
  longDate,
  parseLocation,
  clockTime,
  parseTime,
  takeSentLocations,
  type IsoDate,
} from '@clinic/domain';
import {
  add,
  isClientList,
  isProposal,
  isSession,
  keyOf,
  optionsLink,
  ownLocations,
  problemOf,
  requests,
  saveFailure,
  todayAt,
  type Chosen,
} from './model.ts';
import type {} from '../modal/main.tsx';

/**
 * The modal's script, which any page can load. When it is loaded as a module, it sends its requests to the page's own
 * server.
 */
const MODAL_SCRIPT = '/embed/timeslot-cancel.js';

const el = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const token = (): string | null => localStorage.getItem('access_token');

let chosen: Chosen[] = [];
let busy = false;

/** An error whose message can be shown to users. */
class Problem extends Error {}

const wordsOf = (error: unknown): string =>
  error instanceof Problem ? error.message : 'Something went wrong on this page. Reload it.';

/** Sends a request and returns the reply's JSON; throws a Problem unless the reply passes the check. */
async function call<T>(path: string, check: (reply: unknown) => reply is T, body?: unknown): Promise<T> {
  const response = await fetch(`/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${token() ?? ''}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  const reply = (await response?.json().catch(() => null)) as unknown;
  if (!response?.ok || !check(reply)) throw new Problem(problemOf(response, reply, body !== undefined));
  return reply;
}

function say(text: string, problem = false): void {
  const message = document.getElementById('legacy-message');
  if (!message) return; // the user has left the legacy page in the meantime
  message.textContent = text;
  message.classList.toggle('legacy-problem', problem);
}

function option(value: string, label: string): HTMLOptionElement {
  const o = document.createElement('option');
  o.value = value;
  o.textContent = label;
  return o;
}

/** Numbers the requests for the client list. A late reply to an earlier request must not replace the newest list. */
let newestLoad = 0;

async function loadClients(): Promise<void> {
  const load = ++newestLoad;
  const location = el<HTMLSelectElement>('legacy-location').value;
  const select = el<HTMLSelectElement>('legacy-client');
  select.replaceChildren(option('', 'Loading clients…'));
  try {
    const list = await call(`/clients?${new URLSearchParams({ location }).toString()}`, isClientList);
    if (load !== newestLoad) return;
    const names = list
      .filter((c) => c.location === location)
      .map((c) => c.display_name ?? `${c.first_name} ${c.last_name}`)
      .sort(compareNames);
    select.replaceChildren(
      option('', names.length > 0 ? 'Choose a client' : 'No clients here'),
      ...names.map((n) => option(n, n)),
    );
  } catch (error) {
    if (load !== newestLoad) return;
    select.replaceChildren(option('', 'Clients could not be loaded'));
    say(`Failed to load clients. ${wordsOf(error)}`, true);
  }
}

const time = (wall: string): string => clockTime(parseTime(wall.slice(11, 16)) ?? 0);

function showReview(): void {
  el('legacy-review').hidden = chosen.length === 0;
  el('legacy-rows').replaceChildren(
    ...chosen.map((c) => {
      const row = document.createElement('tr');
      for (const text of [c.client, longDate(isoDate(c.start.slice(0, 10))), `${time(c.start)} - ${time(c.end)}`]) {
        const cell = document.createElement('td');
        cell.textContent = text;
        row.append(cell);
      }
      const remove = document.createElement('button');
      remove.type = 'button';
      remove.textContent = 'Remove';
      remove.setAttribute('aria-label', `Remove ${c.client}, ${time(c.start)}`);
      remove.addEventListener('click', ({ detail }) => {
        if (detail > 1) return; // the second click of a double click would remove the next row, too
        chosen = chosen.filter((x) => keyOf(x) !== keyOf(c));
        showReview();
        (el('legacy-rows').querySelector('button') ?? el('legacy-choose')).focus();
      });
      const last = document.createElement('td');
      last.append(remove);
      row.append(last);
      return row;
    }),
  );
}

function choose(event: Event): void {
  event.preventDefault();
  const location = el<HTMLSelectElement>('legacy-location').value;
  const client = el<HTMLSelectElement>('legacy-client').value;
  if (client === '') return say('Choose a client first.', true);
  say('');
  window.TimeslotCancel.open({
    clientName: client,
    location,
    startDate: el<HTMLInputElement>('legacy-week').value,
    getToken: token,
    onConfirm: (_slots, sessions) => {
      chosen = add(
        chosen,
        sessions.map((s) => ({ client, location, ...s })),
      );
      showReview();
      el('legacy-cancel').focus();
    },
  });
}

async function cancelChosen(): Promise<void> {
  if (busy || chosen.length === 0) return;
  busy = true;
  const button = el<HTMLButtonElement>('legacy-cancel');
  button.setAttribute('aria-disabled', 'true');
  button.textContent = 'Saving...';
  const links = el('legacy-links');
  links.replaceChildren();
  try {
    let affected = false;
    for (const request of requests(chosen)) {
      const reply = await call('/api/scheduler/process', isProposal, request);
      for (const date of Object.keys(reply.data).sort()) {
        affected = true;
        const link = document.createElement('a');
        link.href = optionsLink(request.location, date);
        link.textContent = `See options for ${longDate(date as IsoDate)}`;
        const item = document.createElement('li');
        item.append(link);
        links.append(item);
      }
      chosen = chosen.filter((c) => c.location !== request.location);
    }
    say(affected ? 'Saved. The calendar shows the client as away.' : 'No scheduling changes needed');
    links.querySelector('a')?.focus();
  } catch (error) {
    say(saveFailure(wordsOf(error)), true);
  } finally {
    busy = false;
    button.removeAttribute('aria-disabled');
    button.textContent = 'Cancel these sessions';
    showReview();
  }
}

async function start(): Promise<void> {
  await import(/* @vite-ignore */ MODAL_SCRIPT);
  const location = el<HTMLSelectElement>('legacy-location');
  const { account, locations, now } = await call('/session', isSession);
  if (locations) takeSentLocations(locations);
  const own = ownLocations(account.locations);
  location.replaceChildren(...own.map((l) => option(l.value, l.label)));
  const selected = parseLocation(localStorage.getItem('selectedLocation') ?? '');
  location.value = own.find(({ value }) => value === selected)?.value ?? own[0]?.value ?? '';
  const place = own.find(({ value }) => value === location.value) ?? own[0];
  if (place) el<HTMLInputElement>('legacy-week').value = todayAt(place, now);
  location.addEventListener('change', () => void loadClients());
  el('legacy-form').addEventListener('submit', choose);
  el('legacy-cancel').addEventListener('click', () => void cancelChosen());
  void loadClients();
}

start().catch((error: unknown) => say(`The page could not be loaded. ${wordsOf(error)}`, true));
