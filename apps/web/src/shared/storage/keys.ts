import type { BackedUpTherapists } from '@clinic/contract';
import { defaultLocation, isLocation, type Location } from '@clinic/domain';

/** The keys in local storage. The specification names the first three; the product adds the others. */
const TOKEN = 'access_token';
const LOCATION = 'selectedLocation';
const BACKED_UP = 'backed_up_therapists';
const THEME = 'theme';
const CLOCK_OFFSET = 'clock_offset';
const OWN_LOCATIONS = 'own_locations';
const CLINIC_LOCATIONS = 'clinic_locations';
const LOGGED_OUT = 'logged_out';
const OWN_LANGUAGE = 'own_language';

/** Reads a stored value; null if there is none or the browser allows no storage, as in some private windows. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage, the value is not remembered.
  }
}

export const readToken = (): string | null => read(TOKEN);
/**
 * Stores the token, or removes it and the free therapists, whose names no one may read once the login session has
 * ended. `loggedOut`: whether the user wanted to leave; other tabs read this.
 */
export function writeToken(token: string | null, loggedOut = false): void {
  write(LOGGED_OUT, loggedOut ? 'yes' : null);
  if (token === null) clearBackedUp();
  write(TOKEN, token);
}
/** Whether the last token was removed because the user logged out, in whichever tab. */
export const hasLoggedOut = (): boolean => read(LOGGED_OUT) !== null;
export const isTokenKey = (key: string | null): boolean => key === null || key === TOKEN;

/** The location chosen last; null when there is none or no such location exists. */
export function savedLocation(): Location | null {
  const value = read(LOCATION);
  return isLocation(value) ? value : null;
}
/** The language chosen on a therapist's own page; null when none was. */
export const savedLanguage = (): string | null => read(OWN_LANGUAGE);
export const saveLanguage = (code: string): void => write(OWN_LANGUAGE, code);
export const saveLocation = (location: Location): void => write(LOCATION, location);

/** How many milliseconds the server's clock is ahead; null when nothing readable is stored. */
export function readClockOffset(): number | null {
  const value = read(CLOCK_OFFSET);
  return value === null || !Number.isFinite(Number(value)) ? null : Number(value);
}
export const writeClockOffset = (offset: number): void => write(CLOCK_OFFSET, String(offset));

/** The clinic's locations as the server sent them last, as JSON; null when nothing is stored. */
export const savedLocations = (): string | null => read(CLINIC_LOCATIONS);
export const saveLocations = (json: string): void => write(CLINIC_LOCATIONS, json);

/** An account's locations; null stands for all locations. */
interface OwnLocations {
  subject: string;
  locations: readonly Location[] | null;
}
export const saveOwnLocations = (value: OwnLocations): void => write(OWN_LOCATIONS, JSON.stringify(value));
/** This account's stored locations; undefined when nothing readable is stored for the account. */
export function savedOwnLocations(subject: string): readonly Location[] | null | undefined {
  try {
    const kept = JSON.parse(read(OWN_LOCATIONS) ?? 'null') as OwnLocations | null;
    return kept?.subject === subject ? kept.locations : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The location to show (CAL-04). A location in the address is always shown; if the account may not use it, the page
 * says so. Otherwise, takes the first of these that the account may use: the location chosen last, altamonte, the
 * account's first location. `own`: the account's locations; null: all locations.
 */
export function pickLocation(fromUrl: unknown, own: readonly Location[] | null): Location {
  if (isLocation(fromUrl)) return fromUrl;
  const isOwn = (location: Location | null): location is Location =>
    location !== null && (own === null || own.includes(location));
  return [savedLocation(), defaultLocation()].find(isOwn) ?? own?.[0] ?? defaultLocation();
}

/** Stores the free therapists from the reply until Submit sends them (SOL-19). */
export const saveBackedUp = (value: BackedUpTherapists): void => write(BACKED_UP, JSON.stringify(value));
export const clearBackedUp = (): void => write(BACKED_UP, null);
/** The free therapists stored by `saveBackedUp`, to be sent with Submit; null when nothing readable is stored. */
export function savedBackedUp(): BackedUpTherapists | null {
  try {
    return JSON.parse(read(BACKED_UP) ?? 'null') as BackedUpTherapists | null;
  } catch {
    return null;
  }
}

export type Theme = 'system' | 'light' | 'dark';
export function savedTheme(): Theme {
  const value = read(THEME);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Sets the theme. The theme `system` follows the operating system. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
export function saveTheme(theme: Theme): void {
  write(THEME, theme === 'system' ? null : theme);
  applyTheme(theme);
}
