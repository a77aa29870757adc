import type { FileHandle } from 'node:fs/promises';
import { MOST_AUDITED_DAYS } from '@clinic/contract';
import { addDays, compareText, daysBetween, groupBy, isoDate, toCsv, type IsoDate } from '@clinic/domain';
import type { Act } from '../access/act.ts';
import { auditToEnd } from '../access/audit.ts';
import { requireLocation } from '../access/caller.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction, onSnapshot } from '../db/retry.ts';
import { openNameless } from '../import/export/exports.service.ts';
import { ZipFile } from '../import/export/zip-file.ts';
import { selectUsed } from '../ledgers/count/authorizations.ts';
import { isoAt } from '../platform/clock.ts';
import { refusal } from '../platform/refusal.ts';
import { selectEvents } from '../tell/history/history.queries.ts';
import { ownEvents } from '../tell/history/history.service.ts';
import { AsKnown } from './as-known.ts';
import {
  selectEntry,
  selectHeads,
  selectPastSessions,
  selectStates,
  selectTrail,
  type PastSession,
  type TrailEntry,
} from './facts.queries.ts';
import { writePdf } from './pdf.ts';
import { MANIFEST, PARTS, SEAL, sealOf, sha256, type Manifest, type RecordFile } from './seal.ts';
import { COLUMNS, type Facts } from './session-rows.ts';

export interface AskedFile {
  readonly client: string;
  readonly from: IsoDate;
  readonly to: IsoDate;
}

/** Everything that the file says, read in one snapshot. */
interface Read {
  readonly facts: Facts;
  readonly record: RecordFile;
}

/** A zip file without a name; the caller closes it. */
interface MadeFile {
  readonly file: FileHandle;
  readonly bytes: number;
  readonly seal: string;
}

/**
 * Makes the file that an auditor asks for, and records this in the audit trail: the entry holds the file's hash, and is
 * in the file. Refuses an account that may not see every location of these sessions.
 * @param now milliseconds since 1970; sessions that end later are left out
 */
export async function makeAuditorFile(db: Db, act: Act, asked: AskedFile, now: number): Promise<MadeFile> {
  const days = daysBetween(asked.from, asked.to) + 1;
  if (days < 1 || days > MOST_AUDITED_DAYS) throw refusal('audited-range', MOST_AUDITED_DAYS);
  const { facts, record } = await onSnapshot(db, (reads) => readAll(reads, act, asked, now));
  const rows = facts.sessions.map((session) => COLUMNS.map(([, say]) => say(session, facts)));
  const csv = toCsv([COLUMNS.map(([title]) => title), ...rows]);
  const pdf = await writePdf(sheetOf(asked, rows, act.at), new Date(act.at));
  const recordText = `${JSON.stringify(record, null, 1)}\n`;
  const manifest: Manifest = {
    ...asked,
    made_at: isoAt(act.at),
    sessions: rows.length,
    files: { [PARTS.csv]: sha256(csv), [PARTS.pdf]: sha256(pdf), [PARTS.record]: sha256(recordText) },
  };
  const manifestText = `${JSON.stringify(manifest, null, 1)}\n`;
  const seal = await sealFile(db, act, facts, asked, sha256(manifestText));
  const file = await openNameless();
  try {
    const zip = new ZipFile(file);
    await zip.add(PARTS.csv, [Buffer.from(csv)]);
    await zip.add(PARTS.pdf, [pdf]);
    await zip.add(PARTS.record, [Buffer.from(recordText)]);
    await zip.add(MANIFEST, [Buffer.from(manifestText)]);
    await zip.add(SEAL, [Buffer.from(`${JSON.stringify(seal, null, 1)}\n`)]);
    return { file, bytes: await zip.end(), seal: sealOf(seal) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readAll(db: Db, act: Act, { client, from, to }: AskedFile, now: number): Promise<Read> {
  const person = await db.selectFrom('client').select('location').where('id', '=', client).executeTakeFirst();
  if (!person) throw refusal('no-such-client');
  const sessions = await selectPastSessions(db, client, [from, to], isoAt(now));
  for (const location of new Set([person.location, ...sessions.map((each) => each.location)]))
    requireLocation(act.caller, location);
  const keys = [...new Set(sessions.flatMap(({ id, parent_id }) => [id, parent_id ?? id]))];
  const events = await selectEvents(db, keys);
  const ofKey = groupBy(events, ({ of }) => of);
  const eventsOf = ({ id, parent_id }: PastSession) =>
    ownEvents({ key: id }, [...(parent_id === null ? [] : (ofKey.get(parent_id) ?? [])), ...(ofKey.get(id) ?? [])]);
  const own = sessions.flatMap(eventsOf);
  const people = [...sessions, ...own.flatMap(({ before, after }) => [before, after])].flatMap((state) =>
    state === null
      ? []
      : 'id' in state
        ? [state.therapist_id, state.booked_therapist_id]
        : [state.therapistId, state.bookedTherapistId],
  );
  const therapists = new Set(people.filter((id) => id != null));
  const accounts = own.flatMap(({ account }) => account ?? []);
  const commits = [...sessions.map((each) => each.commit_id), ...own.map(({ commit }) => commit)].flatMap(
    (id) => id ?? [],
  );
  const trail = await selectTrail(db, [client, ...keys, ...new Set(commits), ...therapists]);
  const states = await selectStates(db, {
    client: [client],
    therapist: therapists,
    account: [...accounts, ...trail.flatMap(({ record }) => record.accountId ?? [])],
    location: new Set([person.location, ...sessions.map((each) => each.location)]),
  });
  const known = new AsKnown(states);
  const granted = known.all('client', client).flatMap(({ authorizations }) => authorizations);
  const first = granted.map((each) => each.from_date).sort(compareText)[0] ?? from;
  const used = await selectUsed(db, client, [isoDate(first), addDays(to, 1)], null);
  const ids = new Set([client, ...keys, ...commits, ...therapists, ...accounts]);
  return {
    facts: { client, sessions, eventsOf, known, used },
    record: { states, trail: trail.map((entry) => carried(entry, ids)), heads: await selectHeads(db) },
  };
}

const RECORD_ID = /^(?:[CT]-\w+|[\da-f]{8}-[\da-f-]{27})$/;

/** The entry or, if it also names other clients or their sessions, only its place and its hash. */
function carried(entry: TrailEntry, own: ReadonlySet<string>): RecordFile['trail'][number] {
  const { chain, number, at, action, subjectIds, detail } = entry.record;
  const others = textsIn([subjectIds, detail]).some((text) => RECORD_ID.test(text) && !own.has(text));
  return others ? { chain, number, at, action, hash: entry.hash } : entry;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Records the file in the trail, and returns the entry. */
function sealFile(db: Db, act: Act, { sessions }: Facts, { client, from, to }: AskedFile, hash: string) {
  return inTransaction(db, async (trx) => {
    const person = await trx.selectFrom('client').select('location').where('id', '=', client).executeTakeFirstOrThrow();
    const { chain, number } = await auditToEnd(trx, act.at, [
      {
        action: 'auditor-file.made',
        subjectKind: 'client',
        subjectIds: [client],
        location: person.location,
        detail: { from, to, sessions: sessions.length, sha256: hash },
        accountId: act.caller.id,
        requestId: act.requestId,
      },
    ]);
    return selectEntry(trx, chain, number);
  });
}

const NOTES = [
  'Each session is described as it was known when it ended, not as profiles say today. Where nothing was on record by then, the file says so, and what was recorded first; where the record changed later, it says the change and its date.',
  'Session times are by the clock of the location. Acts are in UTC. Minutes delivered leave out the time when the client or the therapist was away; units used are counted from the calendar as it was when this file was made.',
  'To check that nothing was changed: npm run audit -- verify FILE, which needs no database. A letter that this file’s font lacks is written as its Unicode number, such as [U+4E2D]; sessions.csv has the letter.',
];

const TITLE_COLUMNS = 3;

function sheetOf({ client, from, to }: AskedFile, rows: readonly (readonly string[])[], at: number) {
  return {
    title: `Sessions of client ${client}, ${from} to ${to}`,
    notes: [`Made at ${isoAt(at)}. Past sessions: ${rows.length}.`, ...NOTES],
    parts: rows.map((cells) => ({
      title: cells.slice(0, TITLE_COLUMNS).join(' - ').replace(' - ', ', '),
      lines: COLUMNS.slice(TITLE_COLUMNS).flatMap(([title], i): [string, string][] => {
        const words = cells[TITLE_COLUMNS + i] ?? '';
        return words === '' ? [] : [[title, words]];
      }),
    })),
  };
}
