import { expect, test } from 'vitest';
import { findFaults } from '@clinic/domain';
import { factsOf, whyNotSubmit } from './consistency.ts';
import { openProposal, proposalReducer } from './model.ts';
import { madeChoices } from './requests.ts';
import { proposal } from './testing/sample-proposal.ts';

const date = '2026-11-20';
const open = () => openProposal(proposal());
const whyNot = (state: ReturnType<typeof open>) =>
  whyNotSubmit(state, findFaults(factsOf(state.reply.metadata), state.choices));

test('the proposed options can be submitted unchanged', () => {
  expect(whyNot(open())).toBeNull();
});

test('a clash on any date prevents submitting, even while another date is shown', () => {
  const mixed = proposalReducer(open(), { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  expect(whyNot(mixed)).toBe('1 clash on Fri, Nov 20 to fix first');
  expect(whyNot(proposalReducer(mixed, { type: 'date', index: 1 }))).toBe('1 clash on Fri, Nov 20 to fix first');
  expect(whyNot(proposalReducer(mixed, { type: 'pick', client: 'Zoe Fox', option: 'Option 2' }))).toBeNull();
});

test('clashing pins in Refresh Mode do not prevent submitting', () => {
  let state = proposalReducer(open(), { type: 'mode', mode: 'refresh' });
  state = proposalReducer(state, { type: 'pick', client: 'Bo Lee', option: 'Option 2' });
  state = proposalReducer(state, { type: 'pick', client: 'Zoe Fox', option: 'Option 1' });
  expect(whyNot(state)).toBeNull();
});

test('[SOL-17] a choice that no longer fits prevents submitting until another option is chosen', () => {
  let state = proposalReducer(open(), {
    type: 'conflicts',
    conflicts: [{ date, time: '8:30 AM - 11:30 AM', therapist: 'Kai Wood', client: 'Bo Lee' }],
  });
  expect(whyNot(state)).toBe('1 choice no longer fits the calendar');
  state = proposalReducer(state, { type: 'pick-all', option: 'Option 2' });
  expect(whyNot(state)).toBeNull();
});

test('given a changed day, a refresh keeps every pin and every choice other than Option 1', () => {
  let state = proposalReducer(open(), { type: 'pick', client: 'Mo Diaz', option: 'Option 2' });
  state = proposalReducer(state, { type: 'mode', mode: 'refresh' });
  state = proposalReducer(state, { type: 'pick', client: 'Zoe Fox', option: 'Option 1' });
  expect(madeChoices(state)).toEqual({ [date]: { 'Mo Diaz': 'Option 2', 'Zoe Fox': 'Option 1' }, '2026-11-23': {} });
});
