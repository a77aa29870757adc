import { parseExportedStatus, parsePlace, tidy } from '../rows/fields.ts';
import type { ImportKind } from '../import-types.ts';

/** Parts of the names of columns that say what becomes of a person, whatever the file is about. */
const PERSON = ['status', 'active', 'discharg', 'terminat', 'delet', 'archiv', 'remov', 'cancel', 'expel', 'hold'];
const PLACE = ['location', 'clinic', 'office', 'facilit', 'branch', 'site$', 'center$'];
const LIMITS = ['restrict', 'exclu', 'donot', 'dont', 'never', 'avoid', 'only', 'ratio', '2to1', 'gender'];

/**
 * Parts of names, as `headerKey` reduces them, of columns that can change what a row means: whether and where something
 * takes place, when, for how long, and with whom.
 */
const NAMES: Readonly<Record<ImportKind, RegExp>> = {
  therapists: new RegExp([...PERSON, ...PLACE, 'leave', 'lastday', 'enddate', 'left$'].join('|')),
  clients: new RegExp([...PERSON, ...PLACE, ...LIMITS, 'enddate'].join('|')),
  appointments: new RegExp(
    [
      'status|cancel|delet|void|remov|archiv|active|draft|templat|tentativ|waitlist',
      'noshow|attend|outcome|confirm|resched|moved|duplicat|missed|completed',
      'zone|^tz$|utc|gmt|allday|recur|repeat|series|frequency|duration|length|minutes|^mins|hours$|^hrs|units$',
      'substitut|replac|coveredby|coveringfor',
      ...PLACE,
    ].join('|'),
  ),
  authorizations: /status|active|denied|void|delet|cancel|unit|hours|frequency|perweek|permonth|^rate/,
  credentials: /status|active|expir|revok|suspend|void|delet|enddate/,
};

/** The name of a time zone, alone in a cell. */
const ZONE =
  /^(?:(?:America|US|Europe|Asia|Pacific|Etc)\/\w+|[ECMP][SD]?T|UTC|GMT|(?:Eastern|Central|Mountain|Pacific)(?: Standard| Daylight)?(?: Time)?)$/i;
/** Words in the middle of other text that say that a session does not take place as the row's other cells say. */
const CHANGED = /\b(?:cancell?ed|cancell?ation|no[- ]show(?:ed)?|rescheduled|deleted|voided)\b/i;

const LONGEST_LOOKED_AT = 300;

/**
 * Whether a column without a name of ours may change what the rows mean, by its name or by what it holds. Then an import
 * waits until someone has said what it holds.
 * @param key the column's name, as `headerKey` reduces it
 */
export function changesMeaning(kind: ImportKind, key: string, cells: Iterable<string>): boolean {
  if (NAMES[kind].test(key)) return true;
  let all: 'zones' | 'places' | 'statuses' | null = null;
  let isFirst = true;
  for (const cell of cells) {
    const text = tidy(cell.slice(0, LONGEST_LOOKED_AT));
    if (text === '') continue;
    if (kind === 'appointments' && CHANGED.test(text)) return true;
    if (isFirst) all = meaningOf(kind, text);
    else if (all !== meaningOf(kind, text)) all = null;
    isFirst = false;
  }
  return all !== null;
}

function meaningOf(kind: ImportKind, text: string): 'zones' | 'places' | 'statuses' | null {
  if (parsePlace(text)) return 'places';
  if (kind !== 'appointments') return null;
  if (ZONE.test(text)) return 'zones';
  return parseExportedStatus(text) ? 'statuses' : null;
}
