import { ApiError } from '../api/client.ts';
import { lazyPart } from './lazy-part.tsx';

/** Whether the error says that the account may not see the location. Trying again would not help. */
export const isForbidden = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 403;

// Few people ever see it, so it is not in the first load.
export const ForeignLocation = lazyPart(() => import('./foreign-location-notice.tsx').then((m) => m.ForeignLocation));
