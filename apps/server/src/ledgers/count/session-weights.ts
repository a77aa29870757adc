import {
  codeOf,
  intersect,
  minutesOf,
  monthOf,
  subtract,
  supervisionOn,
  supervisionSentence,
  supervisionWeight,
  unpaidSentence,
  unpaidSessions,
  UNPAID_WEIGHT,
  type Interval,
  type IsoDate,
  type Specialization,
  type SupervisionRules,
} from '@clinic/domain';
import { anyOf } from '../../db/any-of.ts';
import type { Db } from '../../db/connection.ts';
import { together } from '../../db/snapshot.ts';
import { onDate } from '../../db/wall-time.ts';
import { appointmentOf, selectAppointmentRows } from '../../day/facts/clinic-day.queries.ts';
import type { Authorizations } from './authorizations.ts';
import { missedTime, type CareNow } from './care-hours.ts';
import type { DayAbsence, DayAppointment, SessionWeight } from '../../day/facts/day.ts';
import { selectSupervision } from './supervision.ts';
import { awayWindows } from '../../day/facts/uncovered.ts';

interface WeighedDay {
  readonly date: IsoDate;
  readonly appointments: readonly DayAppointment[];
  /** The date's absences, also those of people who are booked only at other locations. */
  readonly absences: readonly DayAbsence[];
  /** How much of today is past. */
  readonly now: CareNow;
  /** The day's therapists by id, each with the credential valid on the date. */
  readonly therapists: ReadonlyMap<string, { readonly displayName: string; readonly credential: Specialization }>;
  readonly rules: SupervisionRules;
}

const USUAL: SessionWeight = { percent: 100, why: [] };

/**
 * Returns the date's sessions that count more or less than 100 percent, by key. Supervision counts up to 300 percent. A
 * session that no authorization pays for counts for 30 percent of its usual weight.
 */
export async function loadWeights(
  db: Db,
  day: WeighedDay,
  authorizations: Authorizations,
): Promise<Map<string, SessionWeight>> {
  const [weights, elsewhere] = await together(supervisionWeights(db, day), selectElsewhere(db, day, authorizations));
  for (const key of unpaidOf({ ...day, appointments: [...day.appointments, ...elsewhere] }, authorizations)) {
    const { percent, why } = weights.get(key) ?? USUAL;
    weights.set(key, {
      percent: Math.round((percent * UNPAID_WEIGHT) / 100),
      why: [...why, unpaidSentence(day.date)],
      unpaid: true,
    });
  }
  return weights;
}

/** Selects the date's sessions at other locations, of clients with an authorization. */
async function selectElsewhere(db: Db, { date, appointments }: WeighedDay, { live }: Authorizations) {
  if (live.length === 0) return [];
  const known = new Set(appointments.map(({ key }) => key));
  const rows = await selectAppointmentRows(db)
    .where('client_id', '=', anyOf(new Set(live.map(({ client }) => client))))
    .where(onDate(date))
    .where('occupies', '=', true)
    .execute();
  return rows.map((row) => appointmentOf(row, date)).filter(({ key }) => !known.has(key));
}

function unpaidOf(day: WeighedDay, { live, clients }: Authorizations): Set<string> {
  const away = awayWindows(day);
  const sessions = day.appointments.flatMap((own) => {
    const { key, clientId, service, subject, start, end, occupies } = own;
    if (clientId === null || !occupies) return [];
    // Time that passed without a therapist uses no units; time that may still be covered does.
    const minutes = end - start - minutesOf(missedTime({ ...own, date: day.date }, away, day.now).lost);
    return [{ key, client: clientId, code: codeOf(service, subject), start, minutes }];
  });
  return unpaidSessions(sessions, live, clients);
}

/**
 * Works out how much each supervision session of the date counts. If it overlaps sessions of several RBTs, the RBT with
 * the least supervision determines the weight. An RBT who is away or declined the session is not supervised in it.
 */
async function supervisionWeights(
  db: Db,
  { date, appointments, absences, therapists, rules }: WeighedDay,
): Promise<Map<string, SessionWeight>> {
  const away = awayWindows({ absences });
  const taking = appointments.filter(({ occupies, clientId }) => occupies && clientId !== null);
  const isThere = (id: string, during: Interval | null): boolean =>
    during !== null && subtract([during], away.get(id) ?? []).length > 0;
  const over = taking
    .filter(({ service }) => service === 'supervision')
    .map(({ key, clientId, start, end, therapistId }) => ({
      key,
      rbts: taking.flatMap((own) =>
        own.service === 'direct' &&
        own.clientId === clientId &&
        own.therapistId !== null &&
        own.therapistId !== therapistId &&
        own.declined === undefined &&
        isThere(own.therapistId, intersect(own, { start, end })) &&
        therapists.get(own.therapistId)?.credential === 'RBT'
          ? [own.therapistId]
          : [],
      ),
    }));
  const ids = [...new Set(over.flatMap(({ rbts }) => rbts))];
  const { first, last } = monthOf(date);
  const days = await selectSupervision(db, ids, [first, last], { asBooked: date });
  const weights = new Map<string, SessionWeight>();
  for (const { key, rbts } of over) {
    for (const id of rbts) {
      const supervision = supervisionOn(days.get(id) ?? [], date, rules);
      const percent = supervisionWeight(supervision);
      if (percent <= (weights.get(key)?.percent ?? 100)) continue;
      const name = therapists.get(id)?.displayName ?? '';
      weights.set(key, { percent, why: [supervisionSentence(name, date, supervision)] });
    }
  }
  return weights;
}
