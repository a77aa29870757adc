import { actionsBodySchema, refreshBodySchema } from '@clinic/contract';
import { expect, test } from 'vitest';
import { openProposal, proposalReducer } from './model.ts';
import { actionsBody, createSubmitKeys, refreshBody, submitLocation, unaffectedChoices } from './requests.ts';
import { proposal } from './testing/sample-proposal.ts';

const date = '2026-11-20';
const mixed = () => proposalReducer(openProposal(proposal()), { type: 'pick', client: 'Bo Lee', option: 'Option 2' });

test('[SOL-09] a refresh sends the options and metadata as received, and one selection per pinned client', () => {
  let state = proposalReducer(mixed(), { type: 'mode', mode: 'refresh' });
  state = proposalReducer(state, { type: 'pick', client: 'Zoe Fox', option: 'Option 2' });
  const body = refreshBody(state);
  expect(body).toEqual({
    output: { possible_solutions: proposal().data },
    metadata: proposal().metadata,
    refreshSelections: [{ date, client: 'Zoe Fox', option: 'Option 2' }],
    message: '',
  });
  expect(refreshBodySchema.safeParse(body).success).toBe(true);
});

test('[SOL-13] submitting sends every client’s option with its slots and branch', () => {
  const body = actionsBody(mixed(), 'tampa', proposal().backed_up_therapists);
  expect(body.selectedOptions).toEqual({
    [date]: { 'Bo Lee': 'Option 2', 'Mo Diaz': 'Option 1', 'Zoe Fox': 'Option 1' },
    '2026-11-23': { 'Bo Lee': 'Option 1' },
  });
  expect(body.selectedOptionsFullData[date]?.['Bo Lee']).toEqual({
    optionName: 'Option 2',
    clientName: 'Bo Lee',
    branch_state: 'p_1.1.2',
    timeSlots: proposal().data[date]?.['Bo Lee']?.['Option 2'],
  });
  expect(body.solutions).toEqual(proposal().data);
  expect(body.backed_up_therapists).toEqual(proposal().backed_up_therapists);
  expect(actionsBodySchema.safeParse(body).success).toBe(true);
});

test('[SOL-13] a client with no slot in the chosen option is sent too, with that option’s branch', () => {
  const reply = proposal();
  const bo = reply.data[date]?.['Bo Lee'];
  if (bo) bo['Option 2'] = {};
  const state = proposalReducer(openProposal(reply), { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  expect(actionsBody(state, 'tampa', null).selectedOptionsFullData[date]?.['Bo Lee']).toEqual({
    optionName: 'Option 2',
    clientName: 'Bo Lee',
    branch_state: 'p_1.1.2',
    timeSlots: {},
  });
});

test('[SOL-15] the first valid location is sent, in this order: saved choice, selector, results, metadata, Altamonte', () => {
  const from = { saved: 'tampa', selector: 'orlando', results: 'deerfield', metadata: 'palm beach' };
  expect(submitLocation(from)).toBe('tampa');
  expect(submitLocation({ ...from, saved: null })).toBe('orlando');
  expect(submitLocation({ ...from, saved: 'nowhere', selector: undefined })).toBe('deerfield');
  expect(submitLocation({ saved: null, selector: undefined, results: undefined, metadata: 'palm beach' })).toBe(
    'palm beach',
  );
  const none = { saved: null, selector: undefined, results: undefined, metadata: undefined };
  expect(submitLocation(none)).toBe('altamonte');
  expect(submitLocation(none, null)).toBeNull();
});

test('[SOL-16] given metadata without a day, the first of the selected dates is sent', () => {
  const reply = proposal();
  reply.metadata.day = '';
  expect(actionsBody(openProposal(reply), 'tampa', null).metadata.day).toBe(date);
  expect(actionsBody(mixed(), 'orlando', null).metadata).toMatchObject({ day: date, location: 'orlando' });
});

test('sending the same choice again uses the same commit key; another choice or revision gets another key', () => {
  let n = 0;
  const keyOf = createSubmitKeys(() => `k${++n}`);
  const first = keyOf(mixed());
  expect(keyOf(mixed())).toBe(first);
  const other = keyOf(openProposal(proposal()));
  expect(other).not.toBe(first);
  expect(keyOf(openProposal(proposal({ revision: 2 })))).not.toBe(other);
  expect(keyOf(mixed())).toBe(first);
});

test('[SOL-17] a refresh after a conflict keeps the choices of every client without a conflict', () => {
  const state = proposalReducer(mixed(), {
    type: 'conflicts',
    conflicts: [{ date, time: '8:30 AM - 10:00 AM', therapist: 'Lin Park', client: 'Bo Lee' }],
  });
  expect(unaffectedChoices(state)).toEqual({
    [date]: { 'Mo Diaz': 'Option 1', 'Zoe Fox': 'Option 1' },
    '2026-11-23': { 'Bo Lee': 'Option 1' },
  });
});
