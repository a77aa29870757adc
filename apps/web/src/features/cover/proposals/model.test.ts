import { describe, expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { mapValues } from '@clinic/domain';
import {
  currentDate,
  defaultChoices,
  mayLookLonger,
  moreOn,
  openProposal,
  pinCount,
  selectionOf,
  proposalReducer,
} from './model.ts';
import { proposal } from './testing/sample-proposal.ts';
import { optionNames } from './table.ts';

const open = () => openProposal(proposal());

test('[SOL-02] the modal opens in Submit Mode, and switches to Refresh Mode and back', () => {
  const state = open();
  expect(state.mode).toBe('submit');
  const refresh = proposalReducer(state, { type: 'mode', mode: 'refresh' });
  expect(refresh.mode).toBe('refresh');
  expect(proposalReducer(refresh, { type: 'mode', mode: 'submit' }).mode).toBe('submit');
});

test('[SOL-07] every client on every date starts with Option 1, and no client is pinned', () => {
  const state = open();
  expect(state.choices).toEqual({
    '2026-11-20': { 'Bo Lee': 'Option 1', 'Mo Diaz': 'Option 1', 'Zoe Fox': 'Option 1' },
    '2026-11-23': { 'Bo Lee': 'Option 1' },
  });
  expect(pinCount(state)).toBe(0);
});

test('[SOL-07] in Submit Mode, a click chooses the option and a second click changes nothing', () => {
  const once = proposalReducer(open(), { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  expect(once.choices['2026-11-20']).toEqual({ 'Bo Lee': 'Option 2', 'Mo Diaz': 'Option 1', 'Zoe Fox': 'Option 1' });
  expect(once.choices['2026-11-23']).toEqual({ 'Bo Lee': 'Option 1' });
  expect(proposalReducer(once, { type: 'pick', client: 'Bo Lee', option: 'Option 2' })).toBe(once);
});

test('[SOL-07] in Refresh Mode, a click selects an option, deselects it, or replaces the earlier selection', () => {
  const refresh = proposalReducer(open(), { type: 'mode', mode: 'refresh' });
  const pick = (state: typeof refresh, option: string) =>
    proposalReducer(state, { type: 'pick', client: 'Bo Lee', option });
  const one = pick(refresh, 'Option 1');
  expect(one.pins['2026-11-20']).toEqual({ 'Bo Lee': 'Option 1' });
  const moved = pick(one, 'Option 2');
  expect(moved.pins['2026-11-20']).toEqual({ 'Bo Lee': 'Option 2' });
  expect(pick(moved, 'Option 2').pins['2026-11-20']).toEqual({});
  expect(moved.choices).toEqual(refresh.choices);
});

test('[SOL-07] each mode keeps its own selections', () => {
  let state = proposalReducer(open(), { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  state = proposalReducer(state, { type: 'mode', mode: 'refresh' });
  state = proposalReducer(state, { type: 'pick', client: 'Mo Diaz', option: 'Option 1' });
  expect(selectionOf(state)['2026-11-20']).toEqual({ 'Mo Diaz': 'Option 1' });
  state = proposalReducer(state, { type: 'mode', mode: 'submit' });
  expect(selectionOf(state)['2026-11-20']?.['Bo Lee']).toBe('Option 2');
});

/** The first options: all of those of November 23, and Option 1 of November 20. */
function firstOnly(): ProposalReply {
  const { data, metadata, ...rest } = proposal();
  const first = mapValues(data, (clients, date) =>
    mapValues(clients, (options) => (date === '2026-11-20' ? { 'Option 1': options['Option 1'] ?? {} } : options)),
  );
  return { ...rest, data: first, metadata: { ...metadata, more: true } };
}

/** The same options in another proposal, with a client whom only Option 2 changes. */
function allOptions(): ProposalReply {
  const { metadata, ...rest } = JSON.parse(JSON.stringify(proposal()).replaceAll('p_1', 'p_2')) as ProposalReply;
  const slot = rest.data['2026-11-23']?.['Bo Lee']?.['Option 2'] ?? {};
  rest.data['2026-11-23'] = { ...rest.data['2026-11-23'], 'Al Day': { 'Option 1': slot, 'Option 2': slot } };
  return { ...rest, metadata };
}

describe('when all options arrive after the first options', () => {
  const first = () => openProposal(firstOnly());
  const chosen = () =>
    proposalReducer({ ...first(), dateIndex: 1 }, { type: 'pick', client: 'Bo Lee', option: 'Option 2' });

  test('all options replace the first options; what was chosen stays, and new clients start with Option 1', () => {
    const state = proposalReducer(chosen(), { type: 'more', reply: allOptions() });
    expect(state).toMatchObject({ more: undefined, dateIndex: 1, reply: { metadata: { proposal: 'p_2' } } });
    expect(state.choices['2026-11-23']).toEqual({ 'Al Day': 'Option 1', 'Bo Lee': 'Option 2' });
    expect(optionNames(state.reply.data, '2026-11-20')).toEqual(['Option 1', 'Option 2']);
  });

  test('pins stay', () => {
    const pinned = proposalReducer(proposalReducer(first(), { type: 'mode', mode: 'refresh' }), {
      type: 'pick',
      client: 'Bo Lee',
      option: 'Option 1',
    });
    const state = proposalReducer(pinned, { type: 'more', reply: allOptions() });
    expect([state.mode, state.pins]).toEqual(['refresh', { '2026-11-20': { 'Bo Lee': 'Option 1' } }]);
  });

  test('pins stay when another option changes a session that Option 1 leaves as booked', () => {
    const more = allOptions();
    const cells = more.data['2026-11-20']?.['Zoe Fox']?.['Option 1'] ?? {};
    cells['5:00 PM - 6:00 PM'] = { therapist: 'Kai Wood', status: 'Scheduled', branch_state: 'p_2.1.1' };
    const pinning = proposalReducer(first(), { type: 'mode', mode: 'refresh' });
    expect(proposalReducer(pinning, { type: 'more', reply: more })).toMatchObject({ more: undefined, reply: more });
    cells['5:00 PM - 6:00 PM'].status = 'Swap';
    expect(proposalReducer(pinning, { type: 'more', reply: more })).toEqual({ ...pinning, more: 'ended' });
  });

  test('options that change Option 1 are shown only if the coordinator has not started to choose', () => {
    const other = allOptions();
    const cells = other.data['2026-11-20']?.['Zoe Fox']?.['Option 1'] ?? {};
    for (const cell of Object.values(cells)) cell.therapist = 'Ida Moss';
    const shown = proposalReducer({ ...first(), dateIndex: 1 }, { type: 'more', reply: other });
    expect(shown).toMatchObject({ more: undefined, dateIndex: 1, reply: other });
    const pinning = proposalReducer(first(), { type: 'mode', mode: 'refresh' });
    const kept = proposalReducer(pinning, { type: 'more', reply: other });
    expect(kept).toEqual({ ...pinning, more: 'ended' });
  });

  test('given that time ran out on a date, further options on that date are unknown, and on others there are none', () => {
    const reply = allOptions();
    const late = openProposal({ ...reply, metadata: { ...reply.metadata, unfinished: ['2026-11-20'] } });
    expect([moreOn(late, '2026-11-20'), moreOn(late, '2026-11-21'), moreOn(late, null)]).toEqual([
      'unfinished',
      undefined,
      undefined,
    ]);
    expect(moreOn({ ...late, more: 'ended' }, '2026-11-20')).toBe('ended');
  });

  test('given that time ran out, looking longer keeps what is chosen, adds what is found, and can be asked for again', () => {
    const reply = firstOnly();
    const { more: _, ...metadata } = reply.metadata;
    const late = openProposal({ ...reply, metadata: { ...metadata, unfinished: ['2026-11-20'] } });
    const chosen = proposalReducer({ ...late, dateIndex: 1 }, { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
    expect(mayLookLonger(chosen)).toBe(true);
    const looking = proposalReducer(chosen, { type: 'look-longer' });
    expect([moreOn(looking, '2026-11-20'), mayLookLonger(looking)]).toEqual(['longer', false]);
    const found = proposalReducer(looking, { type: 'more', reply: allOptions() });
    expect(found).toMatchObject({ more: undefined, choices: { '2026-11-23': { 'Bo Lee': 'Option 2' } } });
    expect([optionNames(found.reply.data, '2026-11-20').length, mayLookLonger(found)]).toEqual([2, false]);
    const nothing = proposalReducer(looking, { type: 'more', reply: null });
    expect([nothing, mayLookLonger(nothing)]).toEqual([{ ...chosen, more: undefined }, true]);
    // After a refresh, the day's options would not keep what was kept.
    const refreshed = proposalReducer(chosen, { type: 'refreshed', reply: late.reply, message: '', pinned: {} });
    expect(proposalReducer(refreshed, { type: 'look-longer' })).toBe(refreshed);
  });

  test('after a refresh or a failure, the first options stay as they are', () => {
    const refreshed = proposalReducer(first(), { type: 'refreshed', reply: proposal(), message: '', pinned: {} });
    expect(proposalReducer(refreshed, { type: 'more', reply: allOptions() })).toBe(refreshed);
    const failed = proposalReducer(first(), { type: 'more', reply: null });
    expect(failed).toEqual({ ...first(), more: 'ended' });
    expect(proposalReducer(failed, { type: 'more', reply: allOptions() })).toBe(failed);
  });
});

test('an option or client that does not exist cannot be chosen', () => {
  const state = open();
  expect(proposalReducer(state, { type: 'pick', client: 'Bo Lee', option: 'Option 9' })).toBe(state);
  expect(proposalReducer(state, { type: 'pick', client: 'constructor', option: 'Option 1' })).toBe(state);
  expect(proposalReducer(state, { type: 'pick-all', option: 'Option 9' })).toBe(state);
});

test('choosing one option for every client changes only the current date', () => {
  const state = proposalReducer(open(), { type: 'pick-all', option: 'Option 2' });
  expect(new Set(Object.values(state.choices['2026-11-20'] ?? {}))).toEqual(new Set(['Option 2']));
  expect(state.choices['2026-11-23']).toEqual({ 'Bo Lee': 'Option 1' });
});

test('resolving a conflict changes the other choices, on every date, and keeps the newest one', () => {
  let state = proposalReducer(open(), { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  expect(state.last['2026-11-20']).toBe('Bo Lee');
  state = proposalReducer(state, {
    type: 'change-too',
    changes: { '2026-11-20': { 'Zoe Fox': 'Option 2' }, '2026-11-23': { 'Bo Lee': 'Option 2' } },
  });
  expect(state.choices).toEqual({
    '2026-11-20': { 'Bo Lee': 'Option 2', 'Mo Diaz': 'Option 1', 'Zoe Fox': 'Option 2' },
    '2026-11-23': { 'Bo Lee': 'Option 2' },
  });
});

test('[SOL-08] dates are sorted, and an index out of range leaves the current date as it is', () => {
  const state = open();
  expect(state.dates).toEqual(['2026-11-20', '2026-11-23']);
  expect(state.dateIndex).toBe(0);
  expect(currentDate(state)).toBe('2026-11-20');
  const next = proposalReducer(state, { type: 'date', index: 1 });
  expect(currentDate(next)).toBe('2026-11-23');
  expect(proposalReducer(next, { type: 'date', index: 2 })).toBe(next);
  expect(proposalReducer(next, { type: 'date', index: -1 })).toBe(next);
});

test('[SOL-08] [SOL-10] a refresh starts over: first date, Submit Mode, Option 1, no pins, no conflicts', () => {
  let state = proposalReducer(open(), { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  state = proposalReducer(state, { type: 'date', index: 1 });
  state = proposalReducer(state, { type: 'mode', mode: 'refresh' });
  state = proposalReducer(state, { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  state = proposalReducer(state, {
    type: 'conflicts',
    conflicts: [{ date: '2026-11-20', time: '8:30 AM - 10:00 AM', therapist: 'Lin Park' }],
  });
  const again = proposal({ revision: 2 });
  const after = proposalReducer(state, {
    type: 'refreshed',
    reply: again,
    message: 'Two options fewer.',
    pinned: state.pins,
  });
  expect(after).toEqual({
    ...openProposal(again),
    pinned: state.pins,
    message: 'Two options fewer.',
    refreshed: true,
  });
  expect(after.choices).toEqual(defaultChoices(again.data));
  expect(after.mode).toBe('submit');
  expect(after.dateIndex).toBe(0);
  expect(after.pins).toEqual({});
  expect(after.conflicts).toEqual([]);
});

test('[SOL-18] only a completed refresh marks the options as refreshed', () => {
  let state = open();
  expect(state.refreshed).toBe(false);
  state = proposalReducer(state, { type: 'mode', mode: 'refresh' });
  expect(state.refreshed).toBe(false);
  expect(proposalReducer(state, { type: 'refreshed', reply: proposal(), message: '', pinned: {} }).refreshed).toBe(
    true,
  );
});
