import { absenceReportsEndpoints, type OpenReport, type ProposalReply } from '@clinic/contract';
import { formatTime, type IsoDate, type Location } from '@clinic/domain';
import type { DayAbsence } from '../../day/facts/day.ts';
import type { Act } from '../../access/act.ts';
import { therapistOf } from '../../access/caller.ts';
import { isoOf } from '../../platform/clock.ts';
import type { App, Deps } from '../../access/deps.ts';
import { addRoute } from '../../http/route.ts';
import type { ReportRow } from './absence-reports.queries.ts';
import {
  confirmReport,
  daysOfReport,
  declineReport,
  listReports,
  openReport,
  reportAbsence,
  withdrawOwnReport,
} from './absence-reports.service.ts';

/** Makes options for a day as if these absences were stored; the proposals feature provides this function. */
export type Preview = (
  input: { location: Location; date: IsoDate; also: readonly DayAbsence[] },
  act: Act,
) => Promise<ProposalReply>;

/** The routes for absences that therapists report on their own page and coordinators confirm or decline. */
export function absenceReportsRoutes(app: App, deps: Deps, preview: Preview): void {
  const { db, wallOf } = deps;
  const listed = async (location: Location) => (await listReports(db, wallOf, location)).map(presentReport);

  addRoute(app, absenceReportsEndpoints.reportAbsence, ({ body, caller, act }) =>
    reportAbsence(db, wallOf, therapistOf(caller), body, act),
  );

  addRoute(app, absenceReportsEndpoints.withdrawAbsenceReport, ({ params, caller, act }) =>
    withdrawOwnReport(db, therapistOf(caller), params.id, act),
  );

  addRoute(app, absenceReportsEndpoints.listAbsenceReports, async ({ query: { location }, shows }) => {
    const reports = await listed(location);
    shows({ subjectKind: 'report', subjectIds: reports.map(({ id }) => id), location });
    return reports;
  });

  addRoute(app, absenceReportsEndpoints.confirmAbsenceReport, async ({ params, body, act }) => {
    await confirmReport(db, wallOf, params.id, body.location, act);
    return listed(body.location);
  });

  addRoute(app, absenceReportsEndpoints.declineAbsenceReport, async ({ params, body, act }) => {
    await declineReport(db, params.id, body.location, act);
    return listed(body.location);
  });

  addRoute(app, absenceReportsEndpoints.previewAbsenceReport, async ({ params, body, act }) => {
    const report = await openReport(db, params.id, body.location);
    const { location, date } = body;
    return preview({ location, date, also: absencesOf(report, location, date) }, act);
  });
}

const absencesOf = (report: ReportRow, location: Location, date: IsoDate): DayAbsence[] =>
  daysOfReport(report)
    .filter((day) => day.date === date)
    .map(({ start, end }) => ({
      id: report.id,
      location,
      therapistId: report.therapist_id,
      clientId: null,
      start,
      end,
    }));

function presentReport(row: ReportRow): OpenReport {
  return { ...presentWindow(row), name: row.display_name, reported_at: isoOf(row.reported_at) };
}

/** Describes a report by its dates, times and cause, without the therapist's name. */
export const presentWindow = (row: ReportRow) => ({
  id: row.id,
  from_date: row.first_date,
  from_time: formatTime(row.first_minute),
  to_date: row.last_date,
  to_time: formatTime(row.last_minute),
  cause: row.cause,
});
