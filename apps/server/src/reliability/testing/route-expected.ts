import type { InjectOptions } from 'fastify';
import type { Access } from '@clinic/contract';
import type { Scene } from './route-scene.ts';

/** The password of every account in these tests. */
export const PASSWORD = 'seven green lamps on a shelf';

interface ExpectedOfAny {
  /** The status for a caller who may make the request. */
  readonly ok: number;
  readonly request?: (
    scene: Scene,
  ) => Omit<InjectOptions, 'method' | 'url'> | Promise<Omit<InjectOptions, 'method' | 'url'>>;
  /** The URL, if it is not simply the route's pattern. */
  readonly url?: (scene: Scene) => string | Promise<string>;
}

/**
 * `access` says who may make the request: everyone; any account, about itself; schedulers and administrators;
 * administrators; administrators of all locations; or therapists. `other` is the status for a scheduler at another location. It is required for every
 * route for schedulers, so that every such route is tested for its location check. `local` is the status for an
 * administrator of this location only, if it is not `ok`. `elsewhere` is the status for a program of another location.
 */
export type Expected = ExpectedOfAny &
  (
    | { readonly access: 'signed-in'; readonly other: number; readonly local?: undefined }
    | { readonly access: 'admin'; readonly other?: undefined; readonly local?: number }
    | {
        readonly access: 'records';
        readonly elsewhere?: number;
        readonly other?: undefined;
        readonly local?: undefined;
      }
    | {
        readonly access: Exclude<Access, 'signed-in' | 'admin' | 'records'>;
        readonly other?: undefined;
        readonly local?: undefined;
      }
  );

export const day = (path: string) => (s: Scene) => `${path}?location=altamonte&date=${s.date}`;
export const report = (path: string) => (s: Scene) => `${path}?location=altamonte&from=${s.date}&to=${s.date}`;
export const open = { access: 'public', ok: 200 } as const;
export const own = { access: 'own', ok: 200 } as const;
/** A list of everything that the account may see, at any location. */
export const listed = { access: 'signed-in', ok: 200, other: 200 } as const;
export const located = { access: 'signed-in', ok: 200, other: 403 } as const;
export const therapists = { access: 'therapist', ok: 200 } as const;
export const admins = { access: 'admin', ok: 200 } as const;
export const clinic = { access: 'clinic', ok: 200 } as const;
