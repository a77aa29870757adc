import { QueryClient } from '@tanstack/react-query';
import { isoDate } from '@clinic/domain';
import { expect, test } from 'vitest';
import { queryKeys } from '../../../../shared/api/query-client.ts';
import { reloadIfOlder } from './use-absences.ts';

const DAY = { location: 'altamonte', date: isoDate('2026-11-20') } as const;

test.each([
  ['an older day is shown', 6, 7, true],
  ['the event of the save has reloaded the day', 7, 7, false],
  ['someone has changed the day since', 8, 7, false],
  ['no day is loaded yet', undefined, 7, false],
  ['the reply names no version', 7, undefined, true],
])('after a save, the day is reloaded only when needed: %s', (_, shown, saved, reloads) => {
  const queries = new QueryClient();
  const queryKey = queryKeys.slots(DAY.location, DAY.date);
  if (shown !== undefined) queries.setQueryData(queryKey, { version: shown });
  reloadIfOlder(queries, DAY, saved);
  expect(queries.getQueryState(queryKey)?.isInvalidated ?? false).toBe(reloads);
});
