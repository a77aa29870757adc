import type { ProposalReply } from '@clinic/contract';
import type { Random } from '@clinic/testkit';
import { saveAbsences, submitBody } from '../../testing/calls.ts';
import { buildRandomClinic, randomAbsences } from '../../testing/random-clinic.ts';
import type { Db } from '../../db/connection.ts';
import type { SignedIn } from '../../testing/test-app.ts';

/** A day with absent people, and proposals for it that contradict each other. */
export interface Morning {
  readonly date: string;
  readonly proposals: readonly ProposalReply[];
}

/**
 * Makes days one after the other, each with absences and this many proposals. The days are a week apart and each has
 * its own people. A day's proposals are made before the next day is built, because building a day deletes the
 * availability of everyone built before.
 */
export async function buildMornings(
  db: Db,
  who: SignedIn,
  plan: { days: number; proposals: number; seed: number },
): Promise<Morning[]> {
  const mornings: Morning[] = [];
  for (let seed = plan.seed; mornings.length < plan.days; seed++) {
    const windows = await db.selectFrom('therapist_availability').selectAll().execute();
    const clinic = await buildRandomClinic(db, seed);
    // Building a clinic deletes the availability of everyone built before, but a commit on an earlier day needs it.
    if (windows.length > 0) await db.insertInto('therapist_availability').values(windows).execute();
    const absences = randomAbsences(seed, clinic);
    const proposals: ProposalReply[] = [];
    for (let n = 0; n < plan.proposals; n++) {
      const reply = await saveAbsences(who, absences);
      if (reply.statusCode !== 200) throw new Error(`no proposal: ${reply.statusCode} ${reply.body}`);
      const proposal = reply.json<ProposalReply>();
      if (Object.keys(proposal.data[clinic.date] ?? {}).length === 0) break;
      proposals.push(proposal);
    }
    if (proposals.length === plan.proposals) mornings.push({ date: clinic.date, proposals });
  }
  return mornings;
}

/**
 * Makes a random choice from a proposal. Usually, everyone gets the same option. One time in three, each client gets a
 * random option, and some clients may get none.
 */
export function randomChoice(random: Random, { date }: Morning, proposal: ProposalReply) {
  const clients = Object.keys(proposal.data[date] ?? {});
  const options = Object.keys(proposal.metadata.options[date] ?? {});
  const one = random.pick(options);
  const mixed = random.chance(1 / 3);
  const chosen = mixed ? random.sample(clients, random.int(1, clients.length)) : clients;
  return submitBody(proposal, {
    [date]: Object.fromEntries(chosen.map((client) => [client, mixed ? random.pick(options) : one])),
  });
}
