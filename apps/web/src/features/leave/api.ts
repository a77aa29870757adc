import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { leaveEndpoints, type BodyOf, type LeaveEffect, type LeaveOutcome } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { ApiError, call } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import { reload } from '../../shared/api/query-client.ts';
import { navigate } from '../../shared/router/history.ts';
import { toast } from '../../shared/ui/toast.tsx';

export type LeaveTerms = Omit<BodyOf<typeof leaveEndpoints.previewLeave>, 'location'>;
export type EndBody = BodyOf<typeof leaveEndpoints.endLeave>;
export type ChangeBody = BodyOf<typeof leaveEndpoints.changeLeave>;

/** What an absence over these dates would touch; asks nothing while `terms` is null. */
export const useLeaveEffect = (location: Location, terms: LeaveTerms | null) =>
  useQuery({
    queryKey: ['leave-effect', location, terms],
    queryFn: async ({ signal }): Promise<LeaveEffect> => {
      if (!terms) throw new Error('nothing to ask about');
      return call(leaveEndpoints.previewLeave, { body: { location, ...terms }, signal });
    },
    enabled: terms !== null,
    placeholderData: keepPreviousData,
  });

/** What ending a leave would bring back, and what stays. */
export const useEndPreview = (id: string, body: EndBody) =>
  useQuery({
    queryKey: ['leave-end', id, body],
    queryFn: async ({ signal }): Promise<LeaveOutcome> =>
      call(leaveEndpoints.previewLeaveEnd, { params: { id }, body, signal }),
    staleTime: 0,
  });

export const endLeave = (id: string, body: EndBody): Promise<LeaveOutcome> =>
  call(leaveEndpoints.endLeave, { params: { id }, body });

export const changeLeave = (id: string, body: ChangeBody): Promise<LeaveOutcome> =>
  call(leaveEndpoints.changeLeave, { params: { id }, body });

/** Whether the server asks first what becomes of the sessions that others cover. */
export const asksAboutCover = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409 && 'returned' in Object(error.detail);

/** Says what was done, with an undo, and loads every day again that is on the screen. */
export function doneToast(text: string, location: Location, id: string, { changed_at }: LeaveOutcome): void {
  reload({ queryKey: ['slots'] });
  const undo = async (): Promise<void> => {
    try {
      await call(leaveEndpoints.undoLeave, { params: { id }, body: { location, changed_at } });
      reload({ queryKey: ['slots'] });
      toast({ text: 'Undone: all dates are as they were.' });
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error, 'who is away') });
    }
  };
  toast({ text, action: { label: 'Undo', run: () => void undo() } });
}

/** Says that a therapist is away on later dates too; the message leads to who takes the sessions. */
export function offerTakers(location: Location, date: IsoDate, name: string): void {
  const run = async (): Promise<void> => {
    try {
      const all = await call(leaveEndpoints.listLeave, { query: { location, date } });
      const own = all.filter((each) => each.type === 'therapist' && each.name === name && each.first_date === date);
      const newest = own.at(-1);
      if (newest) navigate({ to: `/leave/${newest.id}` });
    } catch (error) {
      toast({ tone: 'warn', text: failureWords(error, 'who is away') });
    }
  };
  const next = { label: 'Who takes the sessions?', run: () => void run() };
  toast({ text: `${name} is away on later dates too.`, next });
}
