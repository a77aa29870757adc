import { expect, test } from 'vitest';
import type { ProposalReply } from '@clinic/contract';
import { findFaults, mapValues, type MixChoices, type MixFault } from '@clinic/domain';
import { randomFrom } from '@clinic/testkit';
import { detailOf, refresh, saveAbsences } from '../../testing/calls.ts';
import { fridayCoverApp } from '../../testing/cover-app.ts';
import { buildRandomClinic, randomAbsences } from '../../testing/random-clinic.ts';
import { useApp } from '../../testing/use-app.ts';

const t = useApp(fridayCoverApp);

/** A week in which time that a therapist has booked with clients who are not pinned makes some pins impossible. */
const SEED = Number(process.env['PIN_SEED'] ?? 50);

/** An option for about half of the clients. */
const somePins = ({ data }: ProposalReply, random: ReturnType<typeof randomFrom>) =>
  Object.entries(data).flatMap(([date, clients]) =>
    Object.entries(clients).flatMap(([client, options]) =>
      random.chance(0.5) ? [{ date, client, option: random.pick(Object.keys(options)) }] : [],
    ),
  );

function faultsOf({ metadata: { claims, hours = {} } }: ProposalReply, pins: ReturnType<typeof somePins>) {
  const choices: MixChoices = Object.fromEntries(
    pins.map(({ date }) => [
      date,
      Object.fromEntries(pins.filter((own) => own.date === date).map(({ client, option }) => [client, option])),
    ]),
  );
  const withoutBooked = mapValues(hours, (own) => mapValues(own, ({ booked: _, ...rest }) => rest));
  return {
    faults: findFaults({ claims, hours }, choices),
    ofPinned: findFaults({ claims, hours: withoutBooked }, choices),
  };
}

test('given random pins over two dates of a week with few hours left, then the refresh refuses all pins in which the page finds a conflict, and refuses no other pins because of hours', async () => {
  const clinic = await buildRandomClinic(t.db, 1000 + SEED, { tightWeek: true });
  const random = randomFrom(SEED + 2_000_000);
  const propose = async () => (await saveAbsences(t.staff, randomAbsences(SEED, clinic))).json<ProposalReply>();
  const seen: Record<MixFault['kind'] | 'possible' | 'booked', number> = {
    possible: 0,
    clash: 0,
    hours: 0,
    unknown: 0,
    booked: 0,
  };
  let proposal = await propose();
  for (let mix = 0; mix < 40; mix++) {
    const pins = somePins(proposal, random);
    const { faults, ofPinned } = faultsOf(proposal, pins);
    // Only a few pins, and those for which time booked with clients who are not pinned makes the difference.
    if (mix >= 8 && faults.length === ofPinned.length) continue;
    const reply = await refresh(t.staff, proposal, pins);
    if (faults.length > 0) expect(reply.statusCode, JSON.stringify(faults) + reply.body).toBe(410);
    // Only the solver knows whether a client who is not pinned can move to someone else, to make room for the pins.
    if (faults.length === 0 && reply.statusCode === 410)
      for (const { why } of detailOf(reply).conflicts) expect(why).toMatch(/ would be in two places /);
    if (reply.statusCode === 200) {
      seen.possible++;
      proposal = await propose(); // a refresh replaces the options
    }
    if (faults.length > 0 && ofPinned.length === 0) seen.booked++;
    for (const { kind } of faults) seen[kind]++;
  }
  for (const kind of ['possible', 'hours', 'booked'] as const) expect(seen[kind], kind).toBeGreaterThan(0);
});
