import { nameKey } from './names.ts';
import { formatTime, parseDate, parseTime, type IsoDate } from './time.ts';

declare const place: unique symbol;
/**
 * A location's name in the API, such as `palm beach`. Which locations exist is data (docs/decisions/0310): any string
 * has this type, so what comes from outside is checked with `isLocation` or `parseLocation`.
 */
export type Location = string & { readonly [place]?: never };

/** The opening hours of one weekday, in minutes after midnight. */
export interface OpeningHours {
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly start: number;
  readonly end: number;
}

/** A location: its name in the API, its label on the screen, its group and its time zone. */
export interface ClinicLocation {
  readonly value: Location;
  readonly label: string;
  readonly group: string;
  /** An IANA name, such as `America/New_York`. */
  readonly zone: string;
  /** The hours of the weekdays on which it is open; empty if they are not recorded. */
  readonly hours: readonly OpeningHours[];
  /** The first date on which it is closed for good; null while it is open. */
  readonly closedFrom: IsoDate | null;
  /** The location that took over its people and sessions from that date on. Pages do not know it. */
  readonly mergedInto?: Location | null;
}

const EASTERN = { zone: 'America/New_York', hours: [], closedFrom: null };
/** The locations of an empty database, until an administrator changes them: the specification's five. */
export const DEFAULT_LOCATIONS: readonly ClinicLocation[] = [
  { value: 'altamonte', label: 'Altamonte', group: 'Central Florida', ...EASTERN },
  { value: 'deerfield', label: 'Deerfield', group: 'South Florida', ...EASTERN },
  { value: 'orlando', label: 'Orlando', group: 'Central Florida', ...EASTERN },
  { value: 'palm beach', label: 'Palm Beach', group: 'South Florida', ...EASTERN },
  { value: 'tampa', label: 'Tampa', group: 'West Florida', ...EASTERN },
];

/** The list that every function here reads, with what is computed from it. */
interface Registry {
  readonly list: readonly ClinicLocation[];
  readonly values: readonly Location[];
  readonly byValue: ReadonlyMap<string, ClinicLocation>;
}

function registryOf(list: readonly ClinicLocation[]): Registry {
  const sorted = list.toSorted((a, b) => compare(nameKey(a.label), nameKey(b.label)) || compare(a.value, b.value));
  return { list: sorted, values: sorted.map((l) => l.value), byValue: new Map(sorted.map((l) => [l.value, l])) };
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

let registry = /* @__PURE__ */ registryOf(DEFAULT_LOCATIONS);

/**
 * Replaces the clinic's list, sorted by label. The server calls it with its table, at the start and after each change;
 * pages call it with the server's list.
 */
export function setLocations(list: readonly ClinicLocation[]): void {
  registry = registryOf(list);
}

/** A location as the API sends it. */
export interface SentLocation {
  readonly value: string;
  readonly label: string;
  readonly group: string;
  readonly zone: string;
  readonly hours: readonly { readonly weekday: number; readonly start: string; readonly end: string }[];
  readonly closed_from: string | null;
}

export const locationToSend = ({ value, label, group, zone, hours, closedFrom }: ClinicLocation) => ({
  value,
  label,
  group,
  zone,
  hours: hours.map(({ weekday, start, end }) => ({ weekday, start: formatTime(start), end: formatTime(end) })),
  closed_from: closedFrom,
});

/** Takes over the list that the server sent; see `setLocations`. */
export function takeSentLocations(sent: readonly SentLocation[]): void {
  setLocations(
    sent.map(({ hours, closed_from, ...rest }) => ({
      ...rest,
      hours: hours.flatMap(({ weekday, ...h }) => {
        const [start, end] = [parseTime(h.start), parseTime(h.end)];
        return start === null || end === null ? [] : [{ weekday, start, end }];
      }),
      closedFrom: closed_from === null ? null : parseDate(closed_from),
    })),
  );
}

/** All of the clinic's locations, also those that are closed, sorted by label. */
export const clinicLocations = (): readonly ClinicLocation[] => registry.list;
/** The names in the API of all locations, sorted by label. */
export const locationValues = (): readonly Location[] => registry.values;

const PREFERRED: Location = 'altamonte';
/** The location where none is chosen: altamonte, or if the clinic has none that is open, its first. */
export function defaultLocation(): Location {
  const preferred = registry.byValue.get(PREFERRED);
  if (preferred?.closedFrom === null) return PREFERRED;
  const first = registry.list.find((l) => l.closedFrom === null) ?? registry.list[0];
  return first?.value ?? PREFERRED;
}

export function isLocation(value: unknown): value is Location {
  return typeof value === 'string' && registry.byValue.has(value);
}

/**
 * Finds a location by its name or its label, whatever the letter case and spacing; null when there is no such clinic. A
 * name comes before a label.
 */
export function parseLocation(text: string): Location | null {
  const wanted = nameKey(text);
  return registry.byValue.get(wanted)?.value ?? registry.list.find((l) => nameKey(l.label) === wanted)?.value ?? null;
}

/** A location with its label, group and time zone. Throws RangeError when there is no such location. */
export function locationOf(value: Location): ClinicLocation {
  const found = registry.byValue.get(value);
  if (!found) throw new RangeError(`no such location '${String(value)}'`);
  return found;
}

/** The location itself, or the one into which it was merged. */
export function successorOf(value: Location): Location {
  const into = locationOf(value).mergedInto;
  return into === undefined || into === null || into === value ? value : successorOf(into);
}

/** Where sessions of a location take place on a date: there, or where it was merged to; null if it is closed by then. */
export function locationOn(value: Location, date: IsoDate): Location | null {
  const { closedFrom, mergedInto = null } = locationOf(value);
  if (closedFrom === null || date < closedFrom) return value;
  return mergedInto === null ? null : locationOn(mergedInto, date);
}

export const locationLabel = (value: Location): string => locationOf(value).label;
