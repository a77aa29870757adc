import { useQuery } from '@tanstack/react-query';
import { WORKBOOK_NAME, WORKBOOK_TYPE, actionsEndpoints, todayEndpoints, type CoverWrongBody } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { applyEvent } from '../../../shared/api/live-events.ts';
import { call, send } from '../../../shared/api/client.ts';
import { onDay, queryOf } from '../../../shared/api/query-of.ts';
import { fileOf } from '../../../shared/api/files.ts';
import { queryKeys } from '../../../shared/api/query-client.ts';
import { saveFile } from '../../../shared/save-file.ts';

export const useTodayReply = (location: Location, date: IsoDate | null) =>
  useQuery(queryOf(queryKeys.today(location, date), todayEndpoints.today, onDay(location, date)));

/** Takes the therapists off sessions that break a rule, so that cover is found for them. */
export async function coverWrong(body: CoverWrongBody): Promise<void> {
  await call(todayEndpoints.coverWrong, { body });
  applyEvent({ kind: 'appointments', location: body.location, dates: [body.date] });
}

/** Undoes a whole commit. Refused with 409 when a later change depends on it. */
export async function undoCommit(id: string): Promise<void> {
  const undone = await call(actionsEndpoints.undo, { params: { id } });
  applyEvent({ kind: 'undo', location: undone.location, dates: undone.dates });
}

/** Downloads a commit's workbook again, identical to the first download. */
export async function saveWorkbook(id: string): Promise<void> {
  const response = await send(actionsEndpoints.workbook, { params: { id }, headers: { Accept: WORKBOOK_TYPE } });
  saveFile(await fileOf(actionsEndpoints.workbook, response, 'xlsx'), WORKBOOK_NAME);
}
