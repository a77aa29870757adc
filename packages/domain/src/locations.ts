import { nameKey } from './names.ts';

/**
 * The five clinics: each with its name in the API, its label on the screen, its group and its time zone. The table
 * `location` has the same, for SQL that needs a zone; a test compares them.
 */
export const LOCATIONS = [
  { value: 'altamonte', label: 'Altamonte', group: 'Central Florida', zone: 'America/New_York' },
  { value: 'deerfield', label: 'Deerfield', group: 'South Florida', zone: 'America/New_York' },
  { value: 'orlando', label: 'Orlando', group: 'Central Florida', zone: 'America/New_York' },
  { value: 'palm beach', label: 'Palm Beach', group: 'South Florida', zone: 'America/New_York' },
  { value: 'tampa', label: 'Tampa', group: 'West Florida', zone: 'America/New_York' },
] as const;

export type Location = (typeof LOCATIONS)[number]['value'];

// Marked as pure, so that the bundler may leave these values out of bundles that do not use them.
export const LOCATION_VALUES = /* @__PURE__ */ LOCATIONS.map((l) => l.value) as [Location, ...Location[]];
export const DEFAULT_LOCATION: Location = 'altamonte';

export function isLocation(value: unknown): value is Location {
  return LOCATIONS.some((l) => l.value === value);
}

/** Finds a location by its name, whatever the name's letter case and spacing; null when there is no such clinic. */
export function parseLocation(text: string): Location | null {
  const wanted = nameKey(text);
  return LOCATIONS.find((l) => l.value === wanted)?.value ?? null;
}

/** A location with its label, group and time zone. Throws RangeError when there is no such location. */
export function locationOf(value: Location): (typeof LOCATIONS)[number] {
  const found = LOCATIONS.find((l) => l.value === value);
  if (!found) throw new RangeError(`no such location '${String(value)}'`);
  return found;
}

export const locationLabel = (value: Location): string => locationOf(value).label;
