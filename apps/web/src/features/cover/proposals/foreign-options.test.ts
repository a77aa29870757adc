import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findFaults, mapValues } from '@clinic/domain';
import { metadataDetails, wholeProposal } from '../../../shared/api/whole-proposal.ts';
import { factsOf, whyNotSubmit } from './consistency.ts';
import { headFigures } from './head-figures.ts';
import { mixFigures, needDecision } from './mix.ts';
import { currentDate, mayLookLonger, moreOn, openProposal, proposalReducer } from './model.ts';
import { actionsBody, refreshBody } from './requests.ts';
import { proposal } from './testing/sample-proposal.ts';
import { parseSlot } from './slots.ts';
import { cellView, clientCount, tableOf } from './table.ts';

const DATE = '2026-11-20';

/** Opens a reply as the modal does, and reads everything that the modal shows and sends. */
function shown(reply: unknown) {
  const whole = wholeProposal(reply as never);
  let state = openProposal(whole);
  const tables = state.dates.map((date) => {
    const details = metadataDetails(whole.metadata);
    const table = tableOf(whole.data, details, date as never);
    for (const { figures } of table.columns) if (figures) headFigures(figures);
    clientCount(whole.data, whole.metadata, date);
    moreOn(state, date);
    needDecision(table, state.choices[date] ?? {}, findFaults(factsOf(whole.metadata), state.choices), new Map());
    mixFigures(table, state.choices[date] ?? {});
    return table;
  });
  mayLookLonger(state);
  const body = actionsBody(state, 'altamonte', null);
  const faults = findFaults(factsOf(whole.metadata), state.choices);
  whyNotSubmit(state, faults);
  for (const client of Object.keys(whole.data[currentDate(state) ?? ''] ?? {}))
    state = proposalReducer(state, { type: 'pick', client, option: 'Option 2' });
  return { whole, tables, body, refresh: refreshBody(state) };
}

const row = (reply: unknown, client: string) =>
  shown(reply).tables[0]?.blocks.find((block) => block.client === client)?.rows ?? [];
const one = (cells: unknown) => ({ data: { [DATE]: { 'Bo Lee': cells, 'Mo Diaz': { 'Option 1': GOOD } } } });
const GOOD = { '1:00 PM - 2:00 PM': { therapist: 'Kai Wood', status: 'Cover', branch_state: 'x' } };

test('[SOL-03] a pair of nulls is a dash, and null where a cell, an option or a client belongs costs only its place', () => {
  const cell = { therapist: null, status: null, branch_state: null };
  const dashes = [[[], [], []]];
  expect(row(one({ 'Option 1': { '8:30 AM - 9:30 AM': cell } }), 'Bo Lee').map(({ cells }) => cells)).toEqual(dashes);
  for (const broken of [null, 7, [], { 'Option 1': null }, { 'Option 1': { '8:30 AM - 9:30 AM': null } }])
    expect(row(one(broken), 'Bo Lee').map(({ cells }) => cells)).toEqual(dashes);
  const beside = row(one(null), 'Mo Diaz');
  expect(beside[0]?.cells[0]).toMatchObject([{ therapist: 'Kai Wood', kind: 'cover' }]);
});

test.each([
  ['Unassigned', 'Unassigned', 'unassigned', '1 h'],
  ['UNASSIGNED', 'unassigned', 'unassigned', '1 h'],
  ['Kai Wood', 'Unassigned', 'unassigned', 'Unassigned, 1 h'],
  ['Unassigned', 'Looking', 'unassigned', 'Looking, 1 h'],
  ['Kai Wood', 'CANCEL', 'cancel', 'CANCEL'],
  ['Cancel', 'Family away', 'cancel', 'Family away'],
  ['Kai Wood', 'cover', 'cover', 'cover'],
  ['Kai Wood', 'Replacement', 'scheduled', 'Replacement'],
])('[SOL-04] the cell %s, %s is of kind %s and reads %s', (therapist, status, kind, words) => {
  expect(cellView('8:30 AM - 9:30 AM', { therapist, status, branch_state: '' })).toMatchObject({ kind, words });
});

test.each([
  '8:30 AM - 9:30 AM',
  '8:30:00 AM - 9:30:00 AM',
  '08:30 - 09:30',
  '08:30-09:30',
  '8:30\u202FAM – 9:30\u202FAM',
  '2026-11-20T08:30:00 - 2026-11-20T09:30:00',
  '8:30 AM to 9:30 AM (Parent Training - home)',
])('the slot %s is read', (slot) => {
  expect(parseSlot(slot)).toEqual({ start: 510, end: 570 });
});

test('[SOL-13] what could not be read is sent back as it was received', () => {
  const reply = { ...one(null), metadata: { location: 'altamonte', claims: null, extra: [null] } };
  const { body, refresh } = shown(reply);
  expect(body.solutions).toBe(reply.data);
  expect(refresh.output.possible_solutions).toBe(reply.data);
  expect(refresh.metadata).toBe(reply.metadata);
  expect(body.metadata).toMatchObject({ claims: null, extra: [null], day: DATE });
});

test('our own options are taken as they are, and nothing is kept twice', () => {
  const reply = proposal();
  const whole = wholeProposal(reply);
  expect(whole).toEqual(reply);
  expect([whole.data, whole.metadata]).toEqual([reply.data, reply.metadata]);
  expect(whole.received).toBeUndefined();
});

describe('[SOL-03] given any broken reply with a good cell in it', () => {
  const broken = fc.oneof(fc.anything(), fc.constantFrom(null, '', [], {}, 0, 'Option 1'));
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('Option 1', 'Option 2', 'Option 9', '__proto__', 'constructor', DATE),
  );
  const nested = (inner: fc.Arbitrary<unknown>) => fc.oneof(broken, fc.dictionary(name, inner, { maxKeys: 3 }));
  const cells = nested(nested(nested(broken)));
  const keys = Object.keys(proposal().metadata);
  const metadata = fc.oneof(
    broken,
    fc.dictionary(
      fc.constantFrom(...keys, 'hours', 'clients', 'told', 'chosen', 'more', 'unfinished'),
      fc.oneof(broken, nested(cells)),
    ),
  );
  test('then the table is made without an error, has at least three columns, and shows the good cell', () => {
    fc.assert(
      fc.property(fc.dictionary(name, cells, { maxKeys: 4 }), metadata, broken, (others, meta, free) => {
        const clients = Object.hasOwn(others, DATE) ? others[DATE] : {};
        const around = typeof clients === 'object' && clients !== null && !Array.isArray(clients) ? clients : {};
        const data = { ...others, [DATE]: { ...around, Good: { 'Option 1': GOOD } } };
        const { tables } = shown({ data, metadata: meta, backed_up_therapists: free });
        const table = tables.find(({ date }) => date === DATE);
        expect(table?.columns.length).toBeGreaterThanOrEqual(3);
        const own = table?.blocks.find(({ client }) => client === 'Good')?.rows[0];
        expect(own?.cells.flat().map(({ therapist }) => therapist)).toEqual(['Kai Wood']);
      }),
      { numRuns: 300 },
    );
  });

  test('then whatever of our metadata is replaced, the rest of the modal stands', () => {
    const own = proposal();
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), broken, { minKeys: 1 }), (over) => {
        const { tables } = shown({ ...own, metadata: { ...own.metadata, ...over } });
        expect(tables.map(({ blocks }) => blocks.length)).toEqual(
          Object.values(mapValues(own.data, (clients) => Object.keys(clients).length)).toReversed(),
        );
      }),
      { numRuns: 200 },
    );
  });
});
