import { absenceReportsEndpoints } from './plan/absence-reports.ts';
import { absencesEndpoints } from './plan/absences.ts';
import { callsEndpoints } from './tell/calls.ts';
import { actionsEndpoints } from './plan/commits.ts';
import { historyEndpoints } from './tell/history.ts';
import { ownDayEndpoints } from './tell/own-day.ts';
import { proposalsEndpoints } from './plan/proposals.ts';
import { adminEndpoints } from './admin.ts';
import { appointmentsEndpoints } from './book.ts';
import { auditorEndpoints } from './auditor.ts';
import { calendarEndpoints } from './calendar.ts';
import { causesEndpoints } from './causes.ts';
import type { Endpoint } from './endpoint.ts';
import { exportsEndpoints } from './export.ts';
import { healthEndpoints } from './health.ts';
import { importFolderEndpoints } from './import-folder.ts';
import { importsEndpoints } from './import.ts';
import { ledgersEndpoints } from './ledgers.ts';
import { locationsEndpoints } from './locations.ts';
import { ownAccountEndpoints } from './own-account.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { profilesEndpoints } from './profiles.ts';
import { recordsEndpoints } from './records.ts';
import { reportsEndpoints } from './reports.ts';
import { authEndpoints } from './session.ts';
import { secondFactorEndpoints } from './second-factor.ts';
import { signOnEndpoints } from './sign-on.ts';
import { standingEndpoints } from './weeks/standing.ts';
import { warmEndpoints } from './weeks/warm.ts';
import { timeslotsEndpoints } from './timeslots.ts';
import { todayEndpoints } from './today.ts';
import { makeupEndpoints } from './weeks/makeup.ts';
import { seriesEndpoints } from './weeks/series.ts';
import { closuresEndpoints } from './weeks/closures.ts';
import { leaveEndpoints } from './weeks/leave.ts';
import { timesEndpoints } from './weeks/times.ts';

/** Every endpoint, by group and name; a generated client uses these names for its functions. */
export const API = {
  session: authEndpoints,
  signOn: signOnEndpoints,
  ownAccount: ownAccountEndpoints,
  passkeys: passkeyEndpoints,
  secondFactor: secondFactorEndpoints,
  calendar: calendarEndpoints,
  today: todayEndpoints,
  absences: absencesEndpoints,
  absenceReports: absenceReportsEndpoints,
  leave: leaveEndpoints,
  closures: closuresEndpoints,
  proposals: proposalsEndpoints,
  actions: actionsEndpoints,
  standing: standingEndpoints,
  warm: warmEndpoints,
  calls: callsEndpoints,
  history: historyEndpoints,
  ownDay: ownDayEndpoints,
  appointments: appointmentsEndpoints,
  series: seriesEndpoints,
  times: timesEndpoints,
  makeup: makeupEndpoints,
  causes: causesEndpoints,
  ledgers: ledgersEndpoints,
  reports: reportsEndpoints,
  profiles: profilesEndpoints,
  timeslots: timeslotsEndpoints,
  imports: importsEndpoints,
  exports: exportsEndpoints,
  auditor: auditorEndpoints,
  locations: locationsEndpoints,
  importFolder: importFolderEndpoints,
  admin: adminEndpoints,
  records: recordsEndpoints,
  health: healthEndpoints,
} satisfies Record<string, Record<string, Endpoint>>;
