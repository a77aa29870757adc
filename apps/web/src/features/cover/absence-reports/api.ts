import { useQuery } from '@tanstack/react-query';
import { absenceReportsEndpoints, type ProposalReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { applyEvent } from '../../../shared/api/live-events.ts';
import { queryOf } from '../../../shared/api/query-of.ts';
import { queryClient, queryKeys, showReply } from '../../../shared/api/query-client.ts';

/** Absences that therapists reported and that no coordinator has confirmed or declined yet. */
export const useReports = (location: Location) =>
  useQuery(
    queryOf(queryKeys.reportedAbsences(location), absenceReportsEndpoints.listAbsenceReports, { query: { location } }),
  );

const DECISIONS = {
  confirm: absenceReportsEndpoints.confirmAbsenceReport,
  decline: absenceReportsEndpoints.declineAbsenceReport,
};

export async function decideReport(id: string, location: Location, what: 'confirm' | 'decline'): Promise<void> {
  try {
    const decision = call(DECISIONS[what], { params: { id }, body: { location } });
    await showReply(queryKeys.reportedAbsences(location), decision);
    applyEvent({ kind: 'absences', location, dates: [] });
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: queryKeys.reportedAbsences(location) });
    throw error;
  }
}

/** Requests the day's options as if the report were confirmed. The server stores nothing. */
export const previewReport = (id: string, location: Location, date: IsoDate): Promise<ProposalReply> =>
  call(absenceReportsEndpoints.previewAbsenceReport, { params: { id }, body: { location, date } });
