import {
  addDays,
  credentialOn,
  isoDate,
  NO_CARE,
  prioritySentence,
  groupBy,
  pushTo,
  type Gender,
  type Interval,
  type IsoDate,
  type Location,
  type RecentCare,
} from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { together } from '../db/snapshot.ts';
import { selectAppointments } from './facts/clinic-day.queries.ts';
import { selectNeeds, selectRestrictions } from '../people/clients.queries.ts';
import { selectTags, selectTherapists } from '../people/therapists.queries.ts';
import { withDeclines } from '../tell/memory/declines.ts';
import { withExtraHours } from './extra-hours.ts';
import { selectDay } from './day-rows.ts';
import {
  isHere,
  TEAM_SESSIONS,
  type ClinicDay,
  type DayAbsence,
  type DayAppointment,
  type Familiarity,
  type SessionWeight,
} from './facts/day.ts';
import { careNow, openFrom } from '../ledgers/count/care-hours.ts';
import { selectFamiliarity } from '../ledgers/count/familiarity.queries.ts';
import { loadHours, workloads } from '../ledgers/count/hours.ts';
import { selectLedgers } from '../ledgers/count/ledgers.ts';
import { payersByClient, selectPayers } from '../ledgers/count/payers.ts';
import { cutAt, type WallPresent } from './facts/present.ts';
import { loadRules } from '../ledgers/count/rules.ts';
import { loadWeights } from '../ledgers/count/session-weights.ts';
import { inOneSpelling } from '../people/tag-spelling.ts';

interface CommonOptions {
  /** The ids of clients to be included even if they have no session that day. */
  also?: readonly string[];
  /** Absences and appointments to use instead of the stored ones, in order to load the day as it would then be. */
  suppose?: (stored: readonly DayAbsence[]) => DayAbsence[];
  supposeBooked?: (stored: readonly DayAppointment[]) => DayAppointment[];
}

interface ListOptions extends CommonOptions {
  familiarity: false;
}

interface PlanOptions extends CommonOptions {
  /**
   * Whether to load what only plans need: who may work with whom, worked hours, lost care, authorizations, session
   * weights, and how well clients know therapists. This takes more queries, some over earlier dates; true by default.
   */
  familiarity?: true;
  /** The present at the location, which decides what of earlier dates is lost and what may still be covered. */
  wall: WallPresent;
}

export type LoadOptions = ListOptions | PlanOptions;

/** Loads a location's day. A transaction that will change the day must lock the day's people first. */
export async function loadClinicDay(
  db: Db,
  location: Location,
  date: IsoDate,
  options: LoadOptions,
): Promise<ClinicDay> {
  const wall = options.familiarity === false ? null : options.wall;
  const read = await selectDay(db, location, date, options.also);
  const { version, therapists: therapistRows, clients: clientRows, availability } = read;
  const now = wall && careNow(wall, cutAt(wall, read.isDemo));
  // No time before today's date is open, so only plans for a later date ask how much of today is past.
  const open = now && openFrom(date, now);
  const credentials = groupBy(read.credentials, (c) => c.therapist_id);
  const therapistIds = therapistRows.map((t) => t.id);
  const appointments = options.supposeBooked?.(read.appointments) ?? read.appointments;
  const clientIds = clientRows.map((c) => c.id);
  const booked = new Set([...bookedClients(read.appointments), ...(options.also ?? [])]);
  const { restricted, tagged, rules } = wall ? await selectMatching(db, therapistIds, clientIds, date) : UNMATCHED;
  const people = new Set([...therapistIds, ...clientIds]);
  const stored = read.absencesOnDate.filter(({ therapistId, clientId }) => people.has(therapistId ?? clientId ?? ''));
  const absences = options.suppose?.(stored) ?? stored;
  const supposed = options.suppose && absences;
  const plans = wall !== null;
  const expected = [...new Set(appointments.flatMap((a) => (a.occupies ? (a.clientId ?? []) : [])))];
  const [hours, ledgers] = await together(
    plans ? loadHours(db, therapistIds, date, supposed) : null,
    plans ? selectLedgers(db, { date, therapistIds, clientIds, booked: [...booked], expected, open }) : null,
  );
  const careOf = (id: string): RecentCare => ledgers?.care.get(id) ?? NO_CARE;
  const present = therapistRows.filter(isHere).map(({ id }) => id);
  const work = hours && rules ? workloads(hours, rules, present) : () => null;
  const counts = new Map(
    therapistRows.map((t) => [t.id, credentialOn(t.credential, credentials.get(t.id) ?? [], date)]),
  );
  const counted = new Map(therapistRows.map((t) => [t.id, { ...t, credential: counts.get(t.id) ?? t.credential }]));
  const elsewhere = read.absencesOnDate.filter((absence) => !stored.includes(absence));
  const day = { date, appointments, declines: read.declines, absences: [...absences, ...elsewhere] };
  const weights =
    ledgers && rules && now
      ? await loadWeights(db, { ...withDeclines(day), therapists: counted, rules, now }, ledgers.authorizations)
      : new Map<string, SessionWeight>();
  const payers = payersByClient(tagged.payers, ledgers?.authorizations.live ?? [], appointments);

  const windows = new Map<string, Interval[]>();
  for (const w of availability) pushTo(windows, w.therapistId, { start: w.start, end: w.end });
  const knows = acquaintanceOf(ledgers?.familiarity ?? []);
  const loaded = withDeclines({
    location,
    date,
    version,
    isDemo: read.isDemo,
    therapists: therapistRows.map((t) => ({
      ...ofTherapist(t),
      credential: counts.get(t.id) ?? t.credential,
      newHere: rules !== null && t.startDate <= date && date < addDays(isoDate(t.startDate), rules.new_here_days),
      work: work(t.id, t.limits),
      tags: tagged.tags.get(t.id) ?? [],
      available: isHere(t) ? (windows.get(t.id) ?? []) : [],
    })),
    clients: clientRows.map((c) => ({
      ...c,
      care: careOf(c.id),
      priorityWhy: prioritySentence(c.displayName, c.priority, careOf(c.id)),
      requiresGender: restricted.get(c.id)?.genders ?? [],
      excludesTherapist: restricted.get(c.id)?.excludes ?? [],
      needs: tagged.needs.get(c.id) ?? [],
      prefers: tagged.prefers.get(c.id) ?? [],
      payers: payers.get(c.id) ?? [],
      knows: knows.get(c.id) ?? new Map<string, Familiarity>(),
    })),
    appointments,
    absences,
    weights,
    declines: read.declines,
    freeTold: read.freeTold,
  });
  return withExtraHours(loaded, read.asked);
}

type TherapistRow = Awaited<ReturnType<typeof selectTherapists>>[number];

/** What a therapist's row and a `DayTherapist` both contain; copying all but two fields of the row is slower. */
const ofTherapist = ({ id, firstName, displayName, location, gender, deleted, notEmployed, freed }: TherapistRow) => ({
  id,
  firstName,
  displayName,
  location,
  gender,
  deleted,
  notEmployed,
  freed,
});

/** How well each client knows each therapist, by the client's and the therapist's id. */
export type Acquaintance = ReadonlyMap<string, Map<string, Familiarity>>;

/** Counts how well clients know therapists, from the rows of `selectFamiliarity`. */
export function acquaintanceOf(rows: Awaited<ReturnType<typeof selectFamiliarity>>): Acquaintance {
  const knows = new Map<string, Map<string, Familiarity>>();
  for (const { clientId, therapistId, recent } of rows) {
    const of = knows.get(clientId) ?? new Map<string, Familiarity>();
    of.set(therapistId, recent >= TEAM_SESSIONS ? 'team' : 'known');
    knows.set(clientId, of);
  }
  return knows;
}

/** Loads only how well the clients with sessions on a location's day know its therapists. */
export async function loadAcquaintance(db: Db, location: Location, date: IsoDate): Promise<Acquaintance> {
  const therapistIds = (await selectTherapists(db, location, date)).map(({ id }) => id);
  const booked = bookedClients(await selectAppointments(db, location, date, therapistIds));
  return acquaintanceOf(await selectFamiliarity(db, [...booked], therapistIds, date));
}

const bookedClients = (appointments: readonly { readonly clientId: string | null }[]): Set<string> =>
  new Set(appointments.flatMap(({ clientId }) => clientId ?? []));

/** Loads the facts that decide who may work with whom. */
async function selectMatching(db: Db, therapistIds: readonly string[], clientIds: readonly string[], date: IsoDate) {
  const [restrictions, needs, tags, payers, rules] = await together(
    selectRestrictions(db, clientIds),
    selectNeeds(db, clientIds),
    selectTags(db, therapistIds, date),
    selectPayers(db),
    loadRules(db),
  );
  return { restricted: restrictionsByClient(restrictions), tagged: inOneSpelling(needs, tags, payers), rules };
}

const UNMATCHED = { restricted: restrictionsByClient([]), tagged: inOneSpelling([], [], new Map()), rules: null };

type RestrictionRows = Awaited<ReturnType<typeof selectRestrictions>>;

function restrictionsByClient(rows: RestrictionRows): ReadonlyMap<string, { genders: Gender[]; excludes: string[] }> {
  const restricted = new Map<string, { genders: Gender[]; excludes: string[] }>();
  for (const r of rows) {
    const of = restricted.get(r.clientId) ?? { genders: [], excludes: [] };
    if (r.requiresGender) of.genders.push(r.requiresGender);
    if (r.excludesTherapistId) of.excludes.push(r.excludesTherapistId);
    restricted.set(r.clientId, of);
  }
  return restricted;
}
