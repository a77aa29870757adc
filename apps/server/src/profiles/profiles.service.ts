import { fullName, locationLabel, locationOn, type IsoDate, type Location, type PersonKind } from '@clinic/domain';
import type { UnfitSessions } from '@clinic/contract';
import { presentUnfit, type UnfitSession } from '../day/future-sessions.ts';
import { lockUnfit, takeOff } from '../day/unfit-sessions.ts';
import { bumpDays, firstDayPlanned } from '../day/facts/versions.ts';
import type { LocationDay } from '../day/facts/versions.ts';
import type { Db } from '../db/connection.ts';
import { inTransaction } from '../db/retry.ts';
import { freeDisplayName, lockProfileNames, nextProfileId } from '../db/profile-names.ts';
import type { Caller } from '../access/sessions.ts';
import type { Act } from '../access/act.ts';
import { atEach, auditBy } from '../access/audit.ts';
import { isoAt } from '../platform/clock.ts';
import { Refusal, refusal } from '../platform/refusal.ts';
import { publishEvent } from '../platform/events.ts';
import type { ProfileBody, ProfileKind, SaveContext, StoredProfile } from './profile-kind.ts';
import type { ProfileList } from './profile-list.ts';
import { allowedRow } from './allowed-row.ts';
import { insertProfile, selectProfile, selectProfiles, updateProfile } from './profiles.queries.ts';

/**
 * Lists all therapists or all clients at these locations (null means all), sorted by name.
 * @param leftBefore leaves out who has left by this date; null for none
 */
export async function listProfiles<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  locations: readonly Location[] | null,
  leftBefore: IsoDate | null,
): Promise<Profile[]> {
  const lists = listsOf(kind).filter(([, list]) => list.inLists);
  return show(db, kind, lists, await selectProfiles<Row>(db, kind, locations, leftBefore));
}

/**
 * Returns a profile, for an account that may see the person's location. Refuses (`not-found`) an unknown or deleted
 * person.
 */
export async function readProfile<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  caller: Act['caller'],
  id: string,
): Promise<Profile> {
  return showOne(db, kind, await allowedRow(db, kind, caller, id));
}

/** Refuses (`invalid`) to put someone at a location that is closed for good. */
function requireOpen(location: Location, today: IsoDate): void {
  if (locationOn(location, today) !== location) throw refusal('location-closed', locationLabel(location));
}

/** Adds a person with the next id and a unique name. */
export async function createProfile<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  act: Act,
  body: Body,
  context: SaveContext,
): Promise<Profile> {
  kind.checkBody(body, context);
  requireOpen(body.location, context.today);
  return inTransaction(db, async (trx) => {
    await lockProfileNames(trx, kind.table);
    const id = await nextProfileId(trx, kind.table);
    await insertProfile(trx, kind, id, await valuesOf(trx, kind, body, null));
    for (const [name, list] of listsOf(kind)) await list.save(trx, id, sentList(body, name), 'new');
    const days = await kind.touchedDays(trx, id, [body.location], firstDayPlanned(context.today));
    await record(trx, kind, act, { id, what: 'created', locations: [body.location], days, detail: {}, unfit: [] });
    return showStored(trx, kind, id);
  });
}

/** Finds the future sessions that would no longer fit if this body were saved; saves nothing. */
export async function checkProfile<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  caller: Caller,
  id: string,
  body: Body,
  context: SaveContext,
): Promise<UnfitSessions> {
  const before = await allowedRow(db, kind, caller, id);
  return presentUnfit(await kind.unfitAfter(db, before, body, context.now), caller);
}

/**
 * Saves a profile over the version that was edited. If there is a newer version, refuses (`stale-version`) and returns
 * that version, unless exactly this is already stored: it may be a repeat after a lost reply. A list in the request
 * replaces the stored one. With `unassignUnfit`, sessions that no longer fit lose their therapist and need cover.
 */
export async function saveProfile<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  act: Act,
  { id, body, unassignUnfit }: { id: string; body: Body; unassignUnfit: boolean },
  context: SaveContext,
): Promise<Profile> {
  kind.checkBody(body, context);
  return inTransaction(db, async (trx) => {
    await lockProfileNames(trx, kind.table);
    const stored = (lock?: boolean) => allowedRow(trx, kind, act.caller, id, lock);
    const find = async () => kind.unfitAfter(trx, await stored(), body, context.now);
    const unfit = unassignUnfit ? await lockUnfit(trx, find, () => stored(true)) : [];
    const before = await stored(true);
    const isNewest = body.version === undefined || body.version === before.version;
    const requireNewest = (changed: readonly string[]): void => {
      if (!isNewest && changed.length > 0) throw new Refusal('stale-version', { extra: { version: before.version } });
    };
    const values = await valuesOf(trx, kind, body, before);
    const changed = Object.keys(values).filter((name) => at(before, name) !== at(values, name));
    requireNewest(changed);
    if (changed.includes('location')) requireOpen(body.location, context.today);
    await kind.checkChange(trx, before, values, context);
    await updateProfile(trx, kind, id, values, isoAt(act.at));
    for (const [name, list] of listsOf(kind)) {
      if (await list.save(trx, id, sentList(body, name), 'stored')) changed.push(name);
    }
    requireNewest(changed);
    const locations = [before.location, body.location];
    const touches = changed.some((name) => !kind.outsidePlans.includes(name));
    const days = touches ? await kind.touchedDays(trx, id, locations, firstDayPlanned(context.today)) : [];
    const freed = await takeOff(trx, act, { name: before.display_name, why: 'No longer fits the profile' }, unfit);
    await record(trx, kind, act, {
      id,
      what: 'changed',
      locations,
      days: [...days, ...freed],
      detail: { changed },
      unfit,
    });
    return showStored(trx, kind, id);
  });
}

interface Change {
  readonly id: string;
  readonly what: 'created' | 'changed';
  readonly locations: readonly Location[];
  readonly days: readonly LocationDay[];
  readonly detail: Readonly<Record<string, unknown>>;
  /** The sessions that have lost their therapist. */
  readonly unfit: readonly UnfitSession[];
}

/**
 * Records a change to a profile: increases the affected days' versions, publishes an event for each location, and adds
 * audit entries.
 */
async function record(
  trx: Db,
  { table }: { readonly table: PersonKind },
  act: Act,
  { id, what, locations, days, detail, unfit }: Change,
): Promise<void> {
  await bumpDays(trx, days);
  for (const location of new Set(locations)) {
    await publishEvent(trx, { kind: 'profiles', location, dates: [], by: act.caller.id });
  }
  const entries = atEach([...locations, ...days.map((day) => day.location)], {
    action: `${table}.${what}`,
    subjectKind: table,
    subjectIds: [id],
    detail,
  });
  const unassignedAt = (location: Location) =>
    unfit.flatMap(({ session }) => (session.location === location ? [session.id] : []));
  await auditBy(
    trx,
    act,
    ...entries.map((entry) =>
      unfit.length === 0 ? entry : { ...entry, detail: { ...detail, unassigned: unassignedAt(entry.location) } },
    ),
  );
}

/**
 * Returns the columns to write: the display name, and each field from the body. A field that is not in the body keeps
 * its stored value, or has its default in a new profile.
 */
async function valuesOf<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  trx: Db,
  { table, fields }: ProfileKind<Row, Body, Profile>,
  body: Body,
  before: Row | null,
): Promise<Omit<Row, 'id' | 'version' | 'display_name'> & Record<string, unknown> & { display_name: string }> {
  const person = { first: body.first_name, last: body.last_name };
  const sameName =
    before !== null && fullName(person.first, person.last) === fullName(before.first_name, before.last_name);
  const values = Object.entries(fields).map(([name, { initial }]) => {
    const sent = at(body, name);
    return [name, sent === undefined ? (before === null ? initial : at(before, name)) : sent];
  });
  return {
    ...(Object.fromEntries(values) as Row),
    // An unchanged name keeps its number, even if others with that name have left.
    display_name: sameName ? before.display_name : await freeDisplayName(trx, table, person, before?.id ?? null),
  };
}

/** Returns a field's value by its name in the contract; rows and bodies use the same names. */
const at = (of: object, name: string): unknown => (of as Readonly<Record<string, unknown>>)[name];

type NamedList = [name: string, list: ProfileList<never, unknown>];
const listsOf = ({ lists }: { readonly lists: object }) => Object.entries(lists) as NamedList[];
const sentList = (body: object, name: string) => at(body, name) as readonly never[] | undefined;

async function show<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  wanted: readonly NamedList[],
  rows: readonly Row[],
): Promise<Profile[]> {
  const ids = rows.map((row) => row.id);
  const lists: [string, ReadonlyMap<string, readonly unknown[]>][] = [];
  for (const [name, list] of wanted) lists.push([name, await list.shown(db, ids)]);
  return rows.map((row) => {
    const own = Object.fromEntries(lists.map(([name, of]) => [name, of.get(row.id) ?? []]));
    return kind.present(row, own as Parameters<typeof kind.present>[1]);
  });
}

async function showOne<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  db: Db,
  kind: ProfileKind<Row, Body, Profile>,
  row: Row,
): Promise<Profile> {
  const [profile] = await show(db, kind, listsOf(kind), [row]);
  if (profile === undefined) throw new Error('one row makes one profile');
  return profile;
}

async function showStored<Row extends StoredProfile, Body extends ProfileBody, Profile>(
  trx: Db,
  kind: ProfileKind<Row, Body, Profile>,
  id: string,
): Promise<Profile> {
  const row = await selectProfile<Row>(trx, kind, id);
  if (!row) throw new Error(`a ${kind.table} just written is gone`);
  return showOne(trx, kind, row);
}
