import type { FastifyRequest } from 'fastify';
import { reportFileName, reportsEndpoints, WORKBOOK_TYPE } from '@clinic/contract';
import { callerOf } from '../../access/caller.ts';
import type { App, Deps } from '../../access/deps.ts';
import { signalOf } from '../../access/hang-up.ts';
import { addRoute } from '../../http/route.ts';
import { makeTurns } from '../../platform/turns.ts';
import { reportCsv, reportWorkbook } from './report-file.ts';
import { readRange, readReport, readReportSessions, type ReportRange } from './reports.service.ts';

/**
 * A report for a quarter reads every session in it. So that other accounts can still read meanwhile, each account gets
 * only one report at a time.
 */
const TURNS = { atOnce: 2, ofOne: 1, mostWaiting: 400, patienceMs: 20_000 } as const;

/** Returns hours of care in a range of dates, the sessions behind each figure, and the report as a file. */
export function reportsRoutes(app: App, deps: Deps): void {
  const turns = makeTurns(TURNS);
  const inTurn = async <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
    const end = await turns.take(callerOf(request).id, signalOf(request));
    return work().finally(end);
  };
  const shown = ({ locations, from, to }: ReportRange) =>
    locations.map((location) => ({ subjectKind: 'report', subjectIds: [`${location}/${from}/${to}`], location }));

  addRoute(app, reportsEndpoints.readReport, async ({ query, caller, request, shows }) => {
    const range = readRange(caller, query);
    const report = await inTurn(request, () => readReport(deps.db, range, deps.wallOf));
    shows(...shown(range));
    return report;
  });

  addRoute(app, reportsEndpoints.reportSessions, async ({ query, caller, request, shows }) => {
    const range = readRange(caller, query);
    const { by, key = '', figure } = query;
    const sessions = await inTurn(request, () => readReportSessions(deps.db, range, deps.wallOf, { by, key, figure }));
    shows(...shown(range));
    return sessions;
  });

  addRoute(app, reportsEndpoints.reportFile, async ({ query, caller, request, shows, reply }) => {
    const range = readRange(caller, query);
    const report = await inTurn(request, () => readReport(deps.db, range, deps.wallOf));
    shows(...shown(range));
    reply.header('content-disposition', `attachment; filename="${reportFileName(query, query.format)}"`);
    reply.type(query.format === 'csv' ? 'text/csv; charset=utf-8' : WORKBOOK_TYPE);
    return query.format === 'csv' ? reportCsv(report) : reportWorkbook(report);
  });
}
