import type { AccessTables } from './schema/access.ts';
import type { CalendarTables } from './schema/calendar.ts';
import type { CallTables } from './schema/calls.ts';
import type { CoverTables } from './schema/cover.ts';
import type { PeopleTables } from './schema/people.ts';
import type { RecordTables } from './schema/records.ts';

/** The tables' TypeScript types; the migrations define the tables themselves. */
export interface Database extends AccessTables, PeopleTables, CalendarTables, CoverTables, CallTables, RecordTables {}
