import { defaultLocation, groupBy, type Location } from '@clinic/domain';
import { type Endpoint, profilesEndpoints } from '@clinic/contract';
import { timestampOf } from '../db/wall-time.ts';
import type { App, Deps } from '../access/deps.ts';
import { addRoute, type Call } from '../http/route.ts';
import { CLIENTS } from './clients.ts';
import type { ProfileBody, ProfileKind, SaveContext, StoredProfile } from './profile-kind.ts';
import { checkProfile, createProfile, listProfiles, readProfile, saveProfile } from './profiles.service.ts';
import { deleteTherapist } from './therapists.delete.ts';
import { THERAPISTS } from './therapists.ts';

/** Therapists' and clients' profiles (PROF-09); only therapists can be deleted. */
export function profilesRoutes(app: App, deps: Deps): void {
  const therapists = handlersOf(deps, THERAPISTS);
  addRoute(app, profilesEndpoints.listTherapists, therapists.list);
  addRoute(app, profilesEndpoints.getTherapist, therapists.get);
  addRoute(app, profilesEndpoints.createTherapist, therapists.create);
  addRoute(app, profilesEndpoints.updateTherapist, therapists.update);
  addRoute(app, profilesEndpoints.checkTherapist, therapists.check);

  const clients = handlersOf(deps, CLIENTS);
  addRoute(app, profilesEndpoints.listClients, clients.list);
  addRoute(app, profilesEndpoints.getClient, clients.get);
  addRoute(app, profilesEndpoints.createClient, clients.create);
  addRoute(app, profilesEndpoints.updateClient, clients.update);
  addRoute(app, profilesEndpoints.checkClient, clients.check);

  addRoute(app, profilesEndpoints.deleteTherapist, async ({ params, query, act }) => {
    const { location } = await readProfile(deps.db, THERAPISTS, act.caller, params.id);
    const { date, minutes } = deps.wallOf(location);
    await deleteTherapist(deps.db, act, {
      id: params.id,
      unassignAppointments: query.appointments === 'unassign',
      now: { date, timestamp: timestampOf(date, minutes) },
    });
  });
}

type Asked = Pick<Call<Endpoint>, 'act' | 'caller' | 'shows'>;
interface Of {
  readonly params: { readonly id: string };
}

/** The handlers of the five requests that both kinds of profile have. */
function handlersOf<
  Row extends StoredProfile,
  Body extends ProfileBody,
  Profile extends { id: string; location: Location },
>(deps: Deps, kind: ProfileKind<Row, Body, Profile>) {
  const { db } = deps;
  const contextOf = (location: Location): SaveContext => {
    const { date, minutes } = deps.wallOf(location);
    return { today: date, now: timestampOf(date, minutes), adminClientName: deps.config.adminClientName };
  };
  /** The profiles shown: one entry at each location, so that its administrators find it. */
  const entriesOf = (shown: readonly Profile[]) =>
    [...groupBy(shown, (profile) => profile.location)].map(([location, profiles]) => {
      return { subjectKind: kind.table, subjectIds: profiles.map((profile) => profile.id), location };
    });
  return {
    list: async ({
      query,
      caller,
      shows,
    }: Asked & { query: { location?: Location | undefined; left?: 'with' | undefined } }) => {
      const { location, left } = query;
      const at = location === undefined ? caller.locations : [location];
      const { today } = contextOf(location ?? defaultLocation());
      const profiles = await listProfiles(db, kind, at, left === 'with' ? null : today);
      shows(...entriesOf(profiles));
      return profiles;
    },
    get: async ({ params, caller, shows }: Asked & Of) => {
      const profile = await readProfile(db, kind, caller, params.id);
      shows(...entriesOf([profile]));
      return profile;
    },
    create: ({ body, act }: Asked & { body: Body }) => createProfile(db, kind, act, body, contextOf(body.location)),
    update: ({ params, query, body, act }: Asked & Of & { body: Body; query: { sessions?: 'unassign' | undefined } }) =>
      saveProfile(
        db,
        kind,
        act,
        { id: params.id, body, unassignUnfit: query.sessions === 'unassign' },
        contextOf(body.location),
      ),
    check: ({ params: { id }, body, caller, shows }: Asked & Of & { body: Body }) => {
      shows({ subjectKind: kind.table, subjectIds: [id], location: body.location });
      return checkProfile(db, kind, caller, id, body, contextOf(body.location));
    },
  };
}
