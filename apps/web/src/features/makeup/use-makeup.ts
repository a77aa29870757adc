import { useMutation, useQuery } from '@tanstack/react-query';
import { makeupEndpoints, type BodyOf, type MakeupPiece } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { call } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query-of.ts';
import { queryClient } from '../../shared/api/query-client.ts';

export type MakeupWish = BodyOf<typeof makeupEndpoints.proposeMakeup>;

const KEY = 'makeup';

/** What the location's clients are owed. */
export const useOwed = (location: Location) =>
  useQuery(queryOf([KEY, 'owed', location], makeupEndpoints.makeupOwed, { query: { location } }));

/** Sessions that make up what the chosen clients are owed; null while none is chosen. */
export const useProposal = (wish: MakeupWish | null) =>
  useQuery(queryOf([KEY, 'proposal', wish], makeupEndpoints.proposeMakeup, wish && { body: wish }));

/** Books the sessions, all or none. */
export const useMakeupBooking = () =>
  useMutation({
    mutationFn: ({ location, pieces }: { location: Location; pieces: readonly MakeupPiece[] }) =>
      call(makeupEndpoints.bookMakeup, {
        body: {
          location,
          pieces: pieces.map(({ client, therapist, date, start, end }) => ({ client, therapist, date, start, end })),
        },
      }),
    onSettled: () =>
      Promise.all([['slots'], [KEY], ['care']].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
  });
