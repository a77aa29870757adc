import { codeOf, unpaidSentence, unpaidSessions, UNPAID_WEIGHT, type IsoDate } from '@clinic/domain';
import type { Authorizations } from './authorizations.ts';
import type { DayAppointment, SessionWeight } from './day.ts';

/** What sessions of the date weigh, where that is not 100 percent. */
export function sessionWeights(
  date: IsoDate,
  appointments: readonly DayAppointment[],
  { live, clients }: Authorizations,
): Map<string, SessionWeight> {
  const sessions = appointments.flatMap(({ key, clientId, service, subject, start, end, occupies }) =>
    clientId !== null && occupies ? [{ key, client: clientId, code: codeOf(service, subject), start, end }] : [],
  );
  const left = live.map(({ client, code, units, used }) => ({ client, code, left: units - used }));
  const weights = new Map<string, SessionWeight>();
  for (const key of unpaidSessions(sessions, left, clients))
    weights.set(key, { percent: UNPAID_WEIGHT, why: [unpaidSentence(date)] });
  return weights;
}
