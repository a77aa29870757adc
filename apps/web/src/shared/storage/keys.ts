import type { BackedUpTherapists } from '@clinic/contract';
import { DEFAULT_LOCATION, isLocation, type Location } from '@clinic/domain';

/** Local storage: the three keys of the specification, and the theme (ours). */
const TOKEN = 'access_token';
const LOCATION = 'selectedLocation';
const BACKED_UP = 'backed_up_therapists';
const THEME = 'theme';

/** Storage can be refused (private windows, policies): then the page works without remembering. */
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
    // not remembered
  }
}

export const readToken = (): string | null => read(TOKEN);
export const writeToken = (token: string | null): void => write(TOKEN, token);
export const isTokenKey = (key: string | null): boolean => key === null || key === TOKEN;

/** The location chosen last, or null when none was or it is none of ours. */
export function savedLocation(): Location | null {
  const value = read(LOCATION);
  return isLocation(value) ? value : null;
}
export const saveLocation = (location: Location): void => write(LOCATION, location);

/** CAL-04: the address first, then what was chosen last, then altamonte. */
export const pickLocation = (fromUrl: unknown): Location =>
  isLocation(fromUrl) ? fromUrl : (savedLocation() ?? DEFAULT_LOCATION);

/** SOL-19: kept between the process reply and Submit. */
export const saveBackedUp = (value: BackedUpTherapists): void => write(BACKED_UP, JSON.stringify(value));
export const clearBackedUp = (): void => write(BACKED_UP, null);
/** Null when nothing readable is kept. */
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

/** Follows the system unless a person decided otherwise. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
export function saveTheme(theme: Theme): void {
  write(THEME, theme === 'system' ? null : theme);
  applyTheme(theme);
}
