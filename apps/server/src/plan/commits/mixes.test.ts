import { expect, test } from 'vitest';
import type { ActionsReply, ProposalReply } from '@clinic/contract';
import { findClashes } from '@clinic/domain';
import { randomFrom } from '@clinic/testkit';
import { saveAbsences, submit, submitBody, undo } from '../../testing/calls.ts';
import { buildCoverApp } from '../../testing/cover-app.ts';
import { brokenRules, newDoubleBookings, snapshot } from '../../testing/oracle.ts';
import { buildRandomClinic, randomAbsences } from '../../testing/random-clinic.ts';
import { doubleBookings } from '../../testing/state.ts';
import { useApp } from '../../testing/use-app.ts';
import { doseOf, keepFigures } from '../../reliability/testing/doses.ts';

/** How many random days to try. To try others, set `MIX_FIRST` to another first seed. */
const DAYS = doseOf('mixes');
const FIRST = Number(process.env['SEED'] ?? 0);
const MIXES = 4;

const app = useApp(buildCoverApp);

test(
  'given random mixes, then a mix that the page calls consistent is written and breaks no rule, and a mix with conflicts is refused with 409',
  async () => {
    const { db } = app.database;
    const began = performance.now();
    const seen = { written: 0, refused: 0 };
    for (let seed = FIRST; seed < FIRST + DAYS; seed++) {
      const clinic = await buildRandomClinic(db, seed);
      const { date } = clinic;
      const saved = await saveAbsences(app.staff, randomAbsences(seed, clinic));
      expect(saved.statusCode, `seed ${seed}: ${saved.body}`).toBe(200);
      const proposal = saved.json<ProposalReply>();
      const clients = Object.keys(proposal.data[date] ?? {});
      if (clients.length === 0) continue;
      const before = await snapshot(db, 'altamonte', date);
      const clashesBefore = await doubleBookings(db);
      const random = randomFrom(seed + 2_000_000);
      for (let mix = 0; mix < MIXES; mix++) {
        const options = Object.keys(proposal.metadata.options[date] ?? {});
        const choice = Object.fromEntries(
          clients.map((c) => [c, mix === 0 ? (options.at(-1) ?? '') : random.pick(options)]),
        );
        const clashes = findClashes(proposal.metadata.claims[date] ?? {}, choice);
        const reply = await submit(app.staff, submitBody(proposal, { [date]: choice }));
        const told = `seed ${seed} mix ${mix}: ${reply.body}`;
        if (clashes.length > 0) {
          expect(reply.statusCode, told).toBe(409);
          const { conflicts } = reply.json<{ detail: { conflicts: { therapist: string }[] } }>().detail;
          for (const clash of clashes)
            expect(
              conflicts.map((c) => c.therapist),
              told,
            ).toContain(clash.therapist);
          expect((await snapshot(db, 'altamonte', date)).rows, told).toEqual(before.rows);
          seen.refused++;
          continue;
        }
        expect(reply.statusCode, told).toBe(200);
        seen.written++;
        const after = await snapshot(db, 'altamonte', date);
        expect(brokenRules(before, after), told).toEqual([]);
        expect(newDoubleBookings(before, after), told).toEqual([]);
        expect(await doubleBookings(db), told).toBe(clashesBefore);
        const undone = await undo(app.staff, reply.json<ActionsReply>().commit);
        expect(undone.statusCode, `seed ${seed}: ${undone.body}`).toBe(200);
        expect((await snapshot(db, 'altamonte', date)).rows, told).toEqual(before.rows);
      }
    }
    expect(seen.written).toBeGreaterThan(DAYS / 5);
    if (DAYS >= 5 && process.env['SEED'] === undefined) expect(seen.refused).toBeGreaterThan(0);
    keepFigures('mixes', DAYS, began, { ...seen, differences: 0 });
  },
  DAYS * 30_000,
);
