import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { applyEvent } from './live-events.ts';
import { queryClient, queryKeys, showReply } from './query-client.ts';

type Reply = (day: string) => void;

/** A query on the screen, whose requests the test replies to. */
function shown(queryKey: readonly string[]) {
  const requests: Reply[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => {
      requests.push(resolve);
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    });
  const end = new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined);
  onTestFinished(() => {
    end();
    queryClient.clear();
  });
  const reply = async (index: number, day: string): Promise<void> => {
    requests[index]?.(day);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { requests, reply, now: () => queryClient.getQueryData(queryKey) };
}

const DAY = queryKeys.slots('altamonte', '2026-11-20');

test('given an event during the first request for a day, then the day is requested again, and the old reply is dropped', async () => {
  const day = shown(DAY);
  applyEvent({ kind: 'commit', location: 'altamonte', dates: ['2026-11-20'] });
  expect(day.requests).toHaveLength(2);
  await day.reply(1, 'new');
  await day.reply(0, 'old');
  expect(day.now()).toBe('new');
});

test('given an event about another day, then the first request for a day goes on', () => {
  const day = shown(DAY);
  applyEvent({ kind: 'commit', location: 'altamonte', dates: ['2026-11-21'] });
  expect(day.requests).toHaveLength(1);
});

/** A write whose reply the test gives. */
function writing() {
  let reply: Reply = () => undefined;
  const shown = showReply(queryKeys.causes, new Promise<string>((resolve) => (reply = resolve)));
  return async (list: string): Promise<void> => {
    reply(list);
    expect(await shown).toBe(list);
  };
}

test('given a list being loaded while a write returns the new list, then the older list does not replace it', async () => {
  const list = shown(queryKeys.causes);
  await writing()('after the write');
  await list.reply(0, 'before the write');
  expect(list.now()).toBe('after the write');
  await list.reply(1, 'newest');
  expect(list.now()).toBe('newest');
});

test('given no request under way, then what a write returned is shown without another request', async () => {
  const list = shown(queryKeys.causes);
  await list.reply(0, 'before the write');
  await writing()('after the write');
  expect([list.now(), list.requests.length]).toEqual(['after the write', 1]);
});

test('given a list that was loaded while the reply to a write was on its way, then the list is loaded once more', async () => {
  const list = shown(queryKeys.causes);
  const late = writing();
  await list.reply(0, 'with a later change');
  await late('after the write, without the later change');
  expect(list.requests).toHaveLength(2);
  await list.reply(1, 'newest');
  expect(list.now()).toBe('newest');
});

test('given two writes whose replies arrive in the other order, then the list is loaded once more', async () => {
  const list = shown(queryKeys.causes);
  await list.reply(0, 'before');
  const [first, second] = [writing(), writing()];
  await second('after both');
  await first('after the first');
  expect(list.requests).toHaveLength(2);
  await list.reply(1, 'after both');
  expect(list.now()).toBe('after both');
});
