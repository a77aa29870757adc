import { locationsEndpoints } from '@clinic/contract';
import type { App, Deps } from '../access/deps.ts';
import { addRoute } from '../http/route.ts';
import { mergeLocation, previewMerge } from './location-merge.service.ts';
import { addLocation, changeLocation, closeLocation, listLocations, readRemaining } from './locations.service.ts';

/** Lets administrators add, rename, merge and close the clinic's locations. */
export function locationsRoutes(app: App, { db, wallOf }: Deps): void {
  addRoute(app, locationsEndpoints.listLocations, () => listLocations(db));
  addRoute(app, locationsEndpoints.createLocation, ({ body, act }) => addLocation(db, act, body));
  addRoute(app, locationsEndpoints.updateLocation, ({ params, body, act }) =>
    changeLocation(db, act, params.location, body),
  );
  addRoute(app, locationsEndpoints.remainingAtLocation, ({ params, query }) =>
    readRemaining(db, params.location, query.from),
  );
  addRoute(app, locationsEndpoints.closeLocation, ({ params, body, act }) =>
    closeLocation(db, act, wallOf, params.location, body),
  );
  addRoute(app, locationsEndpoints.previewMerge, ({ params, body }) => previewMerge(db, wallOf, params.location, body));
  addRoute(app, locationsEndpoints.mergeLocation, ({ params, body, act }) =>
    mergeLocation(db, act, wallOf, params.location, body),
  );
}
