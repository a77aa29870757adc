import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { reportFileName, reportsEndpoints, type ReportBy, type ReportFigure } from '@clinic/contract';
import { send } from '../../../shared/api/client.ts';
import { fileOf } from '../../../shared/api/files.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { saveFile } from '../../../shared/save-file.ts';
import type { Range } from '../model.ts';

export const useReport = (range: Range | null) =>
  useQuery({
    ...queryOf([...queryKeys.report, range], reportsEndpoints.readReport, range && { query: range }),
    placeholderData: keepPreviousData,
  });

/** Identifies one figure of one group, to request the sessions behind it. */
export interface Behind {
  readonly by: ReportBy;
  readonly key: string;
  readonly label: string;
  readonly figure: ReportFigure;
}

export const useSessionsBehind = (range: Range, { by, key, figure }: Behind) =>
  useQuery(
    queryOf([...queryKeys.report, range, by, key, figure], reportsEndpoints.reportSessions, {
      query: { ...range, by, key, figure },
    }),
  );

export async function saveReport(range: Range, format: 'csv' | 'xlsx'): Promise<void> {
  const response = await send(reportsEndpoints.reportFile, { query: { ...range, format } });
  saveFile(await fileOf(reportsEndpoints.reportFile, response, format), reportFileName(range, format));
}
