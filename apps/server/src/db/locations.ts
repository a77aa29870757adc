import { setLocations, type ClinicLocation } from '@clinic/domain';
import type { Db } from './connection.ts';

/** The clinic's locations, as the database has them. */
async function selectLocations(db: Db): Promise<ClinicLocation[]> {
  const rows = await db
    .selectFrom('location')
    .select(['value', 'label', 'group_name', 'zone', 'hours', 'closed_from', 'merged_into'])
    .execute();
  return rows.map(
    ({ value, label, group_name: group, zone, hours, closed_from: closedFrom, merged_into: mergedInto }) => ({
      value,
      label,
      group,
      zone,
      hours,
      closedFrom,
      mergedInto,
    }),
  );
}

let begun = 0;
let newest = 0;

/**
 * Reads the locations into this process's list (`setLocations`), and returns them. Of two readings at the same time, the
 * one that began last decides.
 */
export async function loadLocations(db: Db): Promise<readonly ClinicLocation[]> {
  const turn = ++begun;
  const list = await selectLocations(db);
  if (turn > newest) {
    newest = turn;
    setLocations(list);
  }
  return list;
}
