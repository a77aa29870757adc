/**
 * Answers that the solver has found recently, so that the same problem is not solved again. An answer depends only on
 * its problem, and each problem is made from data that its account may read. So accounts with the same problem can
 * share an answer.
 */
import type { Asker, SolvedAnswer } from './solve-days.ts';

/** How long an answer is kept, in milliseconds. */
const KEPT_MS = 10 * 60_000;
/** How long an answer is kept whose search ran out of time: the same request soon after would find no more. */
const UNFINISHED_MS = 20_000;
/** How many plans of sessions are kept, counting all options of all answers: some 20 MB. */
const MOST_PLANS = 50_000;

interface FoundAnswers {
  get(key: string): SolvedAnswer | undefined;
  /** Keeps an answer, unless solving again could find a better one; returns the answer. */
  keep(key: string, answer: SolvedAnswer): SolvedAnswer;
  /**
   * Runs `work`. If an answer with this key is kept meanwhile, returns that answer at once, and drops the work unless a
   * worker has begun it.
   */
  unlessKept<Result>(
    key: string,
    asker: Asker | undefined,
    work: (asker?: Asker) => Promise<Result>,
  ): Promise<Result | SolvedAnswer>;
}

/** @param now returns the time in milliseconds, by a clock that never goes back */
export function makeFoundAnswers(now: () => number): FoundAnswers {
  /** The answers by their problems' keys, the oldest first. */
  const kept = new Map<string, { answer: SolvedAnswer; plans: number; until: number }>();
  let plans = 0;
  /** The work in progress, by the key of its problem: functions that take an answer which was found elsewhere. */
  const waiting = new Map<string, Set<(answer: SolvedAnswer) => void>>();

  function drop(key: string): void {
    plans -= kept.get(key)?.plans ?? 0;
    kept.delete(key);
  }

  return {
    get(key) {
      const found = kept.get(key);
      return found && now() < found.until ? found.answer : undefined;
    },
    keep(key, { hurried = false, ...answer }) {
      if (hurried) return answer;
      drop(key);
      const size = answer.options.reduce((sum, { sessions }) => sum + sessions.length, 1);
      kept.set(key, { answer, plans: size, until: now() + (answer.unfinished ? UNFINISHED_MS : KEPT_MS) });
      plans += size;
      for (const [oldest, { until }] of kept) if (plans > MOST_PLANS || until <= now()) drop(oldest);
      for (const take of waiting.get(key) ?? []) take(answer);
      return answer;
    },
    async unlessKept(key, asker, work) {
      const done = new AbortController();
      const gone = AbortSignal.any([done.signal, ...(asker?.gone ? [asker.gone] : [])]);
      const own = work(asker && { ...asker, gone });
      const takes = waiting.get(key) ?? new Set();
      waiting.set(key, takes);
      let take: (answer: SolvedAnswer) => void = () => {};
      const other = new Promise<SolvedAnswer>((resolve) => takes.add((take = resolve)));
      try {
        return await Promise.race([own, other]);
      } finally {
        done.abort();
        takes.delete(take);
        if (takes.size === 0) waiting.delete(key);
      }
    },
  };
}
