import { expect, test } from 'vitest';
import type { ActionsReply, CommitSummary, ProposalReply, RefreshReply } from '@clinic/contract';
import {
  asProposal,
  everyone,
  pin,
  refresh,
  saveAbsences,
  slotsOf,
  submit,
  submitBody,
  undo,
} from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { buildSmallClinic, DATE } from '../../testing/small-clinic.ts';
import { dayOf } from '../../testing/state.ts';
import { useApp } from '../../testing/use-app.ts';

const app = useApp(buildCoverApp, async () => {
  await buildSmallClinic(app.database.db);
});

test('[ABS-05] [SOL-09] [SOL-13] given saved absences, then their options can be refreshed, committed and undone', async () => {
  const { db } = app.database;
  const before = await dayOf(db, DATE);
  const saved = await saveAbsences(app.staff, [
    { therapist: ' ana  RUIZ ', date: DATE },
    { client: 'Mo Diaz', begin: '12:00', date: DATE },
  ]);
  expect(saved.statusCode, saved.body).toBe(200);
  const proposal = saved.json<ProposalReply>();
  const day = proposal.data[DATE] ?? {};
  expect(Object.keys(day)).toEqual(['Bo Lee', 'Mo Diaz']);
  expect(Object.keys(day['Bo Lee'] ?? {})).toEqual(['Option 1', 'Option 2', 'Option 3']);
  // Lin must be called in any case, because Mo is away. Kai is on Bo's team, but choosing Kai needs one more call.
  expect(day['Bo Lee']?.['Option 1']).toEqual({
    '8:30 AM - 11:30 AM': {
      therapist: 'Lin Park',
      status: 'Cover',
      branch_state: `${proposal.metadata.proposal}.1.1`,
      familiarity: 'known',
      minutes: 180,
      from: 'Ana Ruiz',
      subject: 'Direct Therapy',
      session: expect.any(String) as string,
    },
  });
  expect(day['Mo Diaz']?.['Option 2']?.['1:00 PM - 4:00 PM']).toMatchObject({
    therapist: 'Lin Park',
    status: 'Cancel',
  });

  const refreshed = await refresh(app.staff, proposal, [pin('Bo Lee', 'Option 2')]);
  expect(refreshed.statusCode, refreshed.body).toBe(200);
  const second = refreshed.json<RefreshReply>();
  const data = second.output.possible_solutions;
  expect(second.metadata.revision).toBe(2);
  const held = Object.values(day['Bo Lee']?.['Option 2'] ?? {}).map((c) => c.therapist);
  for (const option of Object.values(data[DATE]?.['Bo Lee'] ?? {}))
    expect(Object.values(option).map((c) => c.therapist)).toEqual(held);

  const reply = asProposal(second);
  const done = await submit(app.staff, submitBody(reply, everyone(reply)));
  expect(done.statusCode, done.body).toBe(200);
  const { commit, actions } = done.json<ActionsReply>();
  expect(actions.map((a) => [a.client, a.to_therapist, a.status])).toEqual([
    ['Bo Lee', 'Kai Wood', 'Cover'],
    ['Mo Diaz', '', 'Cancel'],
  ]);
  expect(await dayOf(db, DATE)).toEqual(['08:30-11:30 Kai Wood/Ana Ruiz booked', '13:00-16:00 Lin Park cancelled']);

  const slots = await slotsOf(app.staff, DATE);
  expect(slots.appointments.map((a) => [a.Preferred_Provider_Name, a.Appointment_Status])).toEqual([
    ['Kai Wood', 'Confirmed'],
    ['Lin Park', 'Cancelled'],
  ]);
  const commits = (await app.staff.call({ method: 'GET', url: `/api/commits?date=${DATE}&location=altamonte` })).json<
    CommitSummary[]
  >();
  expect(commits).toMatchObject([
    {
      id: commit,
      clients: ['Bo Lee', 'Mo Diaz'],
      option: 'Option 1',
      changes: 2,
      minutes_kept: 180,
      minutes_needed: 180,
      undone_at: null,
    },
  ]);

  const undone = await undo(app.staff, commit);
  expect(undone.statusCode, undone.body).toBe(200);
  expect(undone.json<CommitSummary>().undone_at).not.toBeNull();
  expect(await dayOf(db, DATE)).toEqual(before);
});
