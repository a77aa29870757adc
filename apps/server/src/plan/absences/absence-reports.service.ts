import { type AuditAction, MOST_OPEN_REPORTS, OWN_DAYS_AHEAD, type ReportBody } from '@clinic/contract';
import {
  addDays,
  datesFrom,
  formatTime,
  MINUTES_A_DAY,
  parseTime,
  roundToQuarter,
  subtract,
  endMinute,
  type Interval,
  type IsoDate,
  type Location,
} from '@clinic/domain';
import type { WallOf } from '../../day/facts/present.ts';
import type { Db } from '../../db/connection.ts';
import { lockAll } from '../../db/locks.ts';
import { inTransaction } from '../../db/retry.ts';
import type { Act } from '../../access/act.ts';
import { atEach, auditBy } from '../../access/audit.ts';
import { isoAt, millisOf } from '../../platform/clock.ts';
import { publishEvent } from '../../platform/events.ts';
import { refusal } from '../../platform/refusal.ts';
import { wallNow } from '../../platform/wall-clock.ts';
import { selectAbsentPerson, selectStored } from './absences.queries.ts';
import { storeAbsences } from './absences.service.ts';
import {
  decideReport,
  insertReport,
  selectOpenReports,
  selectOwnReports,
  selectReport,
  selectReportLocations,
  type ReportRow,
} from './absence-reports.queries.ts';

/** The part of a reported absence that falls on one date. */
interface ReportedDay extends Interval {
  readonly date: IsoDate;
}

/** A report's time on each of its dates, in minutes after midnight; 1440 is the end of a day. */
export function daysOfReport(
  report: Pick<ReportRow, 'first_date' | 'first_minute' | 'last_date' | 'last_minute'>,
): ReportedDay[] {
  const { first_date, first_minute, last_date, last_minute } = report;
  return datesFrom(first_date, last_date)
    .map((date) => ({
      date,
      start: date === first_date ? first_minute : 0,
      end: date === last_date ? last_minute : MINUTES_A_DAY,
    }))
    .filter(({ start, end }) => start < end);
}

type Reported = Pick<ReportRow, 'first_date' | 'first_minute' | 'last_date' | 'last_minute' | 'cause'>;

/**
 * Stores a therapist's report, unless the same report is open, or was confirmed and the therapist is still recorded as
 * away. The calendar does not change until a coordinator confirms the report.
 */
export async function reportAbsence(
  db: Db,
  wallOf: WallOf,
  therapistId: string,
  body: ReportBody,
  act: Act,
): Promise<void> {
  const { from_date: first_date, to_date: last_date } = body;
  const [first_minute, last_minute] = [minuteOf(body.from_time), minuteOf(body.to_time)];
  const report = { first_date, first_minute, last_date, last_minute };
  await inTransaction(db, async (trx) => {
    await lockAll(trx, [`absence-reports-of:${therapistId}`]);
    const locations = await selectReportLocations(trx, therapistId, first_date, last_date);
    const today = locations.map((location) => wallOf(location).date).sort()[0] ?? first_date;
    const latest = addDays(today, OWN_DAYS_AHEAD);
    if (first_date < today || last_date > latest) throw refusal('report-out-of-reach', latest);
    if (first_date > last_date || daysOfReport(report).length === 0) throw refusal('report-reversed');
    const own = await selectOwnReports(trx, therapistId, today);
    // If the reply is lost, therapists send their report again.
    const same = own.filter((each) => isSame({ ...report, cause: body.cause }, each));
    if (same.some(({ decision }) => decision === null)) return;
    if (same.some(({ decision }) => decision === 'confirmed') && (await isRecordedAway(trx, therapistId, report)))
      return;
    const open = own.filter(({ decision }) => decision === null);
    if (open.length >= MOST_OPEN_REPORTS) throw refusal('too-many-reports', MOST_OPEN_REPORTS);
    const row = { ...report, therapist_id: therapistId, cause: body.cause, reported_at: isoAt(act.at) };
    const id = await insertReport(trx, row, act.caller.id);
    await settle(trx, { id, therapist_id: therapistId, ...report }, locations, act, 'absence.reported');
  });
}

/** Whether all of a report's time is recorded as an absence. */
async function isRecordedAway(trx: Db, therapistId: string, report: Omit<Reported, 'cause'>): Promise<boolean> {
  const person = await selectAbsentPerson(trx, { kind: 'therapist', id: therapistId });
  if (!person) return false;
  const days = daysOfReport(report);
  const stored = await selectStored(
    trx,
    days.map(({ date }) => ({ person, date })),
  );
  return days.every((day, i) => subtract([day], stored[i] ?? []).length === 0);
}

const isSame = (report: Reported, other: Reported): boolean =>
  report.first_date === other.first_date &&
  report.first_minute === other.first_minute &&
  report.last_date === other.last_date &&
  report.last_minute === other.last_minute &&
  report.cause === other.cause;

const minuteOf = (time: string): number => endMinute(roundToQuarter(parseTime(time) ?? 0));

/**
 * Withdraws a therapist's own report, as long as no one has decided on it. Withdrawing it again, for example after a
 * lost reply, changes nothing.
 */
export async function withdrawOwnReport(db: Db, therapistId: string, id: string, act: Act): Promise<void> {
  await inTransaction(db, async (trx) => {
    const by = { accountId: act.caller.id, at: isoAt(act.at), therapistId };
    const isFirst = await decideReport(trx, id, 'withdrawn', by);
    const row = await trx
      .selectFrom('absence_report')
      .selectAll()
      .where('id', '=', id)
      .where('therapist_id', '=', therapistId)
      .executeTakeFirst();
    if (row?.decision !== 'withdrawn') throw refusal('own-report-decided');
    if (!isFirst) return;
    const locations = await selectReportLocations(trx, therapistId, row.first_date, row.last_date);
    await settle(trx, row, locations, act, 'absence-report.withdrawn');
  });
}

/** The open reports that concern a location. */
export function listReports(db: Db, wallOf: WallOf, location: Location): Promise<ReportRow[]> {
  return selectOpenReports(db, location, wallOf(location).date);
}

/**
 * Returns an open report, for a coordinator to read, confirm or decline. Refuses a report that is no longer open or
 * concerns only other locations.
 */
export async function openReport(db: Db, id: string, location: Location): Promise<ReportRow> {
  return stillOpen(await findReport(db, id, location));
}

function stillOpen(report: ReportRow): ReportRow {
  if (report.decision !== null) throw refusal('report-decided', report.display_name);
  return report;
}

async function findReport(db: Db, id: string, location: Location): Promise<ReportRow> {
  const report = await selectReport(db, id, location);
  if (!report) throw refusal('no-such-report');
  return report;
}

/**
 * Locks a report to decide about it. Undefined when the same account has already decided the same, such as before the
 * reply was lost; refuses a report that is no longer open for another reason.
 */
async function reportToDecide(
  trx: Db,
  id: string,
  location: Location,
  decision: 'confirmed' | 'declined',
  act: Act,
): Promise<ReportRow | undefined> {
  await lockAll(trx, [`absence-report:${id}`]);
  const report = await findReport(trx, id, location);
  const isRepeated = report.decision === decision && report.decided_by === act.caller.id;
  return isRepeated ? undefined : stillOpen(report);
}

/** Confirms a report: its absences are stored exactly as if a coordinator had entered them. */
export async function confirmReport(db: Db, wallOf: WallOf, id: string, location: Location, act: Act): Promise<void> {
  await inTransaction(db, async (trx) => {
    const report = await reportToDecide(trx, id, location, 'confirmed', act);
    if (!report) return;
    const loss = { cause: await offeredCause(trx, report.cause), known: wallTextOf(report, location), untold: false };
    const days = daysOfReport(report);
    // Several whole days are one absence; a first or last day that is not whole has its own time.
    const isWhole = ({ start, end }: Interval): boolean => start === 0 && end === MINUTES_A_DAY;
    const whole = days.filter(isWhole);
    const further = { until: whole.at(-1)?.date ?? null, weekdays: [0, 1, 2, 3, 4, 5, 6] };
    const queries = days.flatMap((day) => {
      const [first] = whole;
      if (whole.length > 1 && isWhole(day) && day !== first) return [];
      return {
        type: 'therapist_cancel' as const,
        therapist: report.display_name,
        date: day.date,
        begin: formatTime(day.start),
        end: formatTime(day.end),
        location,
        loss,
        ...(whole.length > 1 && day === first ? { leave: further } : {}),
      };
    });
    await storeAbsences(trx, wallOf, { queries, date: report.first_date, location }, act);
    await decide(trx, report, 'confirmed', act);
  });
}

/** Returns the id of a cause if it is in the clinic's list and still offered; otherwise null. */
async function offeredCause(trx: Db, cause: string): Promise<string | null> {
  const row = await trx
    .selectFrom('cause')
    .select('id')
    .where('id', '=', cause)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** When the absence became known, by the location's clock. */
const wallTextOf = ({ reported_at }: ReportRow, location: Location): string =>
  wallNow({ now: () => millisOf(reported_at) }, location).text.slice(0, 16);

/** Declines a report: the therapist is still expected to work, and their own page says so. */
export async function declineReport(db: Db, id: string, location: Location, act: Act): Promise<void> {
  await inTransaction(db, async (trx) => {
    const report = await reportToDecide(trx, id, location, 'declined', act);
    if (report) await decide(trx, report, 'declined', act);
  });
}

async function decide(trx: Db, report: ReportRow, decision: 'confirmed' | 'declined', act: Act): Promise<void> {
  const by = { accountId: act.caller.id, at: isoAt(act.at) };
  if (!(await decideReport(trx, report.id, decision, by))) throw refusal('report-decided', report.display_name);
  const { therapist_id, first_date, last_date } = report;
  const locations = await selectReportLocations(trx, therapist_id, first_date, last_date);
  await settle(trx, report, locations, act, `absence-report.${decision}`);
}

type Settled = Pick<ReportRow, 'id' | 'therapist_id' | 'first_date' | 'first_minute' | 'last_date' | 'last_minute'>;

/** Finishes a change to a report: sends an event to each location concerned, and writes the audit entries. */
async function settle(
  trx: Db,
  report: Settled,
  locations: readonly Location[],
  act: Act,
  action: AuditAction,
): Promise<void> {
  const dates = daysOfReport(report).map(({ date }) => date);
  for (const location of locations) await publishEvent(trx, { kind: 'absences', location, dates, by: act.caller.id });
  const entries = atEach(locations, {
    action,
    subjectKind: 'therapist',
    subjectIds: [report.therapist_id],
    detail: { report: report.id, dates },
  });
  await auditBy(trx, act, ...entries);
}
