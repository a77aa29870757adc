import { absenceReportsEndpoints } from './cover/absence-reports.ts';
import { absencesEndpoints } from './cover/absences.ts';
import { callsEndpoints } from './cover/calls.ts';
import { actionsEndpoints } from './cover/commits.ts';
import { historyEndpoints } from './cover/history.ts';
import { ownDayEndpoints } from './cover/own-day.ts';
import { proposalsEndpoints } from './cover/proposals.ts';
import { adminEndpoints } from './admin.ts';
import { appointmentsEndpoints } from './appointments.ts';
import { calendarEndpoints } from './calendar.ts';
import { causesEndpoints } from './causes.ts';
import type { Endpoint } from './endpoint.ts';
import { healthEndpoints } from './health.ts';
import { importsEndpoints } from './imports.ts';
import { ledgersEndpoints } from './ledgers.ts';
import { ownAccountEndpoints } from './own-account.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { profilesEndpoints } from './profiles.ts';
import { reportsEndpoints } from './reports.ts';
import { authEndpoints } from './session.ts';
import { timeslotsEndpoints } from './timeslots.ts';
import { todayEndpoints } from './today.ts';

/** Every endpoint, by group and name; a generated client uses these names for its functions. */
export const API = {
  session: authEndpoints,
  ownAccount: ownAccountEndpoints,
  passkeys: passkeyEndpoints,
  calendar: calendarEndpoints,
  today: todayEndpoints,
  absences: absencesEndpoints,
  absenceReports: absenceReportsEndpoints,
  proposals: proposalsEndpoints,
  actions: actionsEndpoints,
  calls: callsEndpoints,
  history: historyEndpoints,
  ownDay: ownDayEndpoints,
  appointments: appointmentsEndpoints,
  causes: causesEndpoints,
  ledgers: ledgersEndpoints,
  reports: reportsEndpoints,
  profiles: profilesEndpoints,
  timeslots: timeslotsEndpoints,
  imports: importsEndpoints,
  admin: adminEndpoints,
  health: healthEndpoints,
} satisfies Record<string, Record<string, Endpoint>>;
