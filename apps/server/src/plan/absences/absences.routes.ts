import { absencesEndpoints, type ProposalReply, type StoredAbsence, type Withdrawal } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { loadClinicDay } from '../../day/clinic-day.ts';
import { awayPeople, peopleOfDay } from '../../day/rows.ts';
import { onSnapshot } from '../../db/retry.ts';
import type { Act } from '../../access/act.ts';
import type { App, Deps } from '../../access/deps.ts';
import { refusal, Refusal } from '../../platform/refusal.ts';
import { describeError } from '../../http/logger.ts';
import { presentAbsence } from '../../day/present-absence.ts';
import { addRoute } from '../../http/route.ts';
import { restoreWithdrawn, saveAbsences, withdraw } from './absences.service.ts';
import { withdrawalsOf, type TakenBack } from './undo-withdrawal.ts';

/** Makes options for the stored absences; the proposals feature provides this function. */
export type Propose = (
  input: { location: Location; dates: IsoDate[]; day: IsoDate; queries: unknown[]; waitFor?: 'first' | undefined },
  act: Act,
) => Promise<ProposalReply>;

/** Stores, changes and withdraws absences; saving returns options (ABS-05 to ABS-07). */
export function absencesRoutes(app: App, deps: Deps, propose: Propose): void {
  const { db, wallOf } = deps;

  addRoute(app, absencesEndpoints.process, async ({ body, act, request }) => {
    const dates = await saveAbsences(db, wallOf, body, act);
    const day = dates.find((d) => d === body.date) ?? dates[0] ?? body.date;
    try {
      const { location, queries, wait_for: waitFor } = body;
      return await propose({ location, dates, day, queries, waitFor }, act);
    } catch (error) {
      if (!(error instanceof Refusal))
        request.log.error({ err: describeError(error) }, 'no options after saving absences');
      throw savedButNotSolved(error);
    }
  });

  addRoute(app, absencesEndpoints.withdraw, async ({ body, act }) => {
    const { take_back: takeBack = false, ...named } = body;
    const at = await withdraw(db, wallOf, { ...named, date: body.date, takeBack }, act);
    return { absences: await storedAbsences(deps, body.location, body.date), withdrawn_at: at };
  });

  addRoute(app, absencesEndpoints.withdrawals, async ({ query, caller }) => {
    const { location, date } = query;
    const found = await onSnapshot(db, (trx) => withdrawalsOf(trx, wallOf, { location, date }, caller));
    return found.map(presentTakenBack);
  });

  addRoute(app, absencesEndpoints.restore, async ({ body, act }) => {
    const { withdrawn_at: which, ...named } = body;
    await restoreWithdrawn(db, wallOf, { ...named, which }, act);
    return { absences: await storedAbsences(deps, body.location, body.date) };
  });
}

const presentTakenBack = ({ person, at, shortened, sessions, cannotUndo }: TakenBack): Withdrawal => ({
  name: person.displayName,
  type: person.kind,
  withdrawn_at: at,
  shortened,
  sessions,
  cannot_undo: cannotUndo,
});

/** The absences stay saved even if no options could be made; the refusal says so. */
function savedButNotSolved(error: unknown): Refusal {
  if (error instanceof Refusal && (error.code === 'not-signed-in' || error.code === 'forbidden'))
    return refusal('absences-saved-but-rights-changed');
  if (error instanceof Refusal && error.code !== 'busy' && error.status < 500) return error;
  const busy = error instanceof Refusal && error.code === 'busy';
  return refusal(busy ? 'absences-saved-but-busy' : 'absences-saved-but-unsolved').with({
    headers: error instanceof Refusal ? error.headers : {},
  });
}

async function storedAbsences(deps: Deps, location: Location, date: IsoDate): Promise<StoredAbsence[]> {
  const day = await loadClinicDay(deps.db, location, date, { familiarity: false });
  return awayPeople(day, peopleOfDay(day)).map(presentAbsence);
}
