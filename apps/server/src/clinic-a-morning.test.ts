import { expect, test } from 'vitest';
import type { ActionsReply, ProposalReply, RefreshReply } from '@clinic/contract';
import { clinicA } from './import/testing/clinic-a.ts';
import { importFiles } from './import/imports.service.ts';
import { makeClock } from './platform/clock.ts';
import { asProposal, everyone, refresh, saveAbsences, submit, submitBody, undo } from './testing/calls.ts';
import { buildCoverApp } from './testing/cover-app.ts';
import { brokenRules, newDoubleBookings, snapshot } from './testing/oracle.ts';
import { doubleBookings } from './testing/state.ts';
import { useApp } from './testing/use-app.ts';

const DATE = '2026-11-20';
// All requests are made at 6:50 AM at the clinic.
const app = useApp(
  () => buildCoverApp({ deps: { clock: makeClock('2026-11-20T11:50:00Z') } }),
  async () => {
    await importFiles(app.database.db, clinicA(), {
      adminClientName: 'Admin',
      accountId: null,
      now: Date.UTC(2026, 10, 20),
      dryRun: false,
    });
  },
);

test('given an imported clinic and four absences, options are found, one is submitted within the rules, and undo restores the day', async () => {
  const { db } = app.database;
  const clashes = await doubleBookings(db);
  const before = await snapshot(db, 'altamonte', DATE);
  const saved = await saveAbsences(app.staff, [
    { therapist: 'Imani Walker', date: DATE },
    { therapist: 'Camila Johnson', date: DATE },
    { therapist: 'Tamika Cohen', begin: '00:00', end: '10:00', date: DATE },
    { client: 'Isaac Vu', begin: '12:00', end: '23:59', date: DATE },
  ]);
  expect(saved.statusCode, saved.body).toBe(200);
  const proposal = saved.json<ProposalReply>();
  const day = proposal.data[DATE] ?? {};
  for (const client of ['James Reyes', 'Diego Cohen', 'Gavin Walker', "Jamal O'Brien", 'Isaac Vu'])
    expect(Object.keys(day)).toContain(client);
  const figures = proposal.metadata.options[DATE] ?? {};
  expect(Object.keys(figures).length).toBeGreaterThanOrEqual(3);
  expect(Object.values(figures).every((f) => f.proven)).toBe(true);
  expect(figures['Option 1']?.label).toBe('Balanced');
  expect(figures['Option 2']?.compared).toMatch(/\w/);
  // James has two sessions of 3 h, Diego and Gavin have one each, and Tamika is away for 3.5 h of Jamal's session.
  expect(figures['Option 1']?.minutes_needed).toBe((3 + 3 + 3 + 3 + 3.5) * 60);

  const held = Object.keys(day['James Reyes'] ?? {}).at(-1) ?? '';
  const refreshed = await refresh(app.staff, proposal, [{ date: DATE, client: 'James Reyes', option: held }]);
  expect(refreshed.statusCode, refreshed.body).toBe(200);
  const second = refreshed.json<RefreshReply>();
  const reply = asProposal(second);
  const plain = (cells: Record<string, { therapist: string; status: string }> | undefined) =>
    Object.entries(cells ?? {}).map(([slot, c]) => [slot, c.therapist, c.status]);
  for (const option of Object.values(reply.data[DATE]?.['James Reyes'] ?? {}))
    expect(plain(option)).toEqual(plain(day['James Reyes']?.[held]));

  const done = await submit(app.staff, submitBody(reply, everyone(reply)));
  expect(done.statusCode, done.body).toBe(200);
  const after = await snapshot(db, 'altamonte', DATE);
  expect(brokenRules(before, after)).toEqual([]);
  expect(newDoubleBookings(before, after)).toEqual([]);
  expect(await doubleBookings(db)).toBe(clashes);
  const { commit, uncovered } = done.json<ActionsReply>();
  const open = second.metadata.options[DATE]?.['Option 1']?.minutes_uncovered;
  expect(uncovered.reduce((n, u) => n + u.minutes, 0)).toBe(open);

  const undone = await undo(app.staff, commit);
  expect(undone.statusCode, undone.body).toBe(200);
  expect((await snapshot(db, 'altamonte', DATE)).rows).toEqual(before.rows);
});
