import { callsEndpoints, proposalsEndpoints } from '@clinic/contract';
import { formatTime } from '@clinic/domain';
import { optionOf, type StoredDay } from '../problem/stored-proposal.ts';
import { requireLocation } from '../../access/caller.ts';
import type { App, Deps } from '../../access/deps.ts';
import { refusal } from '../../platform/refusal.ts';
import { signalOf } from '../../access/hang-up.ts';
import { addRoute, type Call } from '../../http/route.ts';
import { cellChoices } from './choices.ts';
import { sessionChoices } from './session-choices.ts';
import { countCalls, optionCalls } from './option-calls.ts';
import { explainCell } from './explain.ts';
import type { CellRef } from './find-cell.ts';
import { openForReading, propose, refresh } from './proposals.service.ts';
import type { Solver } from './solver.ts';
import type { SolveFor } from './solves.ts';

/** The maximum number of bytes in a refresh, which sends the proposal back with all its options. */
const PROPOSAL_BODY_LIMIT = 8 * 1024 * 1024;

/** Makes options for stored absences, refreshes them with pins, and explains them (SOL-09 to SOL-11). */
export function proposalsRoutes(app: App, deps: Deps, { solveCovering }: Solver, solveFor: SolveFor): void {
  const { db, wallOf } = deps;

  addRoute(app, proposalsEndpoints.propose, async ({ body, act }) => {
    const dates = [...new Set(body.dates)].sort();
    const [day] = dates;
    if (day === undefined) throw new Error('the schema requires a date');
    const input = {
      location: body.location,
      dates,
      day,
      queries: [],
      keepTold: body.keep !== 'nothing',
      choose: body.choose,
    };
    return propose(db, solveFor(body.wait_for), wallOf, input, act);
  });

  addRoute(app, proposalsEndpoints.refresh, ({ body, act }) => refresh(db, solveFor(), wallOf, body, act), {
    bodyLimit: PROPOSAL_BODY_LIMIT,
  });

  optionCallsRoute(app, deps);

  addRoute(app, proposalsEndpoints.sessionChoices, ({ body, caller }) => sessionChoices(db, wallOf, body, caller));

  addRoute(app, proposalsEndpoints.choices, (asked) => readCell(deps, asked, cellChoices));

  addRoute(app, proposalsEndpoints.explain, (asked) =>
    readCell(deps, asked, (day, cell) =>
      explainCell(day, cell, (problem, stretches) =>
        solveCovering(problem, stretches, { account: asked.caller.id, gone: signalOf(asked.request) }),
      ),
    ),
  );
}

/** Reads data about one cell of a stored proposal, and records that the proposal was explained. */
async function readCell<T>(
  { db }: Deps,
  { body, caller, shows }: Pick<Call<typeof proposalsEndpoints.explain>, 'body' | 'caller' | 'shows'>,
  read: (day: StoredDay, cell: CellRef) => T | null | Promise<T | null>,
): Promise<T> {
  const stored = await openForReading(db, body.proposal, body.revision);
  requireLocation(caller, stored.location);
  const day = Object.hasOwn(stored.days, body.date) ? stored.days[body.date] : undefined;
  const option = day && optionOf(day, body.option);
  const found = day && option && (await read(day, { client: body.client, option, timeSlot: body.time_slot }));
  if (!found) throw refusal('no-such-cell');
  shows({ subjectKind: 'proposal', subjectIds: [stored.id], location: stored.location });
  return found;
}

function optionCallsRoute(app: App, { db, wallOf }: Deps): void {
  addRoute(app, proposalsEndpoints.toTell, async ({ body, caller }) => ({
    options: await countCalls(db, wallOf, body, caller),
  }));
  addRoute(app, callsEndpoints.ofOption, async ({ body, caller, shows }) => {
    const { location, lines } = await optionCalls(db, wallOf, body, caller);
    shows({ subjectKind: 'day', subjectIds: [`${location}/${body.date}`], location });
    return {
      lines: lines.map(({ kind, name, call, first, say }) => ({
        kind,
        name,
        call,
        say: [...say],
        first: formatTime(first),
      })),
    };
  });
}
