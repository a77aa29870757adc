import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ToldStretch } from '@clinic/domain';
import { personKey, type Answer } from './call-day.ts';
import { knowledge, KNOWS_NOTHING, type Knows, type Reached } from './knows.ts';

const BO = personKey('client', 'bo');
const day = (other: string): ToldStretch[] => [{ start: 540, end: 660, with: other, service: 'direct' }];
/** Results of calls to Bo's family, oldest first; their ids are `0`, `1`, and so on. */
const calls = (...all: (Pick<Answer, 'answer'> & Partial<Answer>)[]) =>
  all.map((each, i): Answer => {
    const base = {
      id: String(i),
      person: BO,
      note: null,
      version: '',
      day: null,
      cancelled: null,
      ringAgain: null,
      free: [],
      accountId: null,
    };
    return { ...base, at: `2030-11-22 07:0${i}:00+00`, by: 'Dana', byPage: false, takenBack: false, ...each };
  });
const ids = (...all: Parameters<typeof calls>) => {
  const last = knowledge(calls(...all)).get(BO);
  return [last?.told?.id, last?.whole?.id, last?.since.map(({ id }) => id)];
};
const told = (other = 'kai') => ({ answer: 'told' as const, day: day(other) });
const off = { answer: 'told' as const, day: [], cancelled: day('ana') };

test('only what a person was told counts as told, and only their whole day as whole', () => {
  expect(ids({ answer: 'left-message', day: day('kai') })).toEqual([undefined, undefined, ['0']]);
  expect(ids({ answer: 'said-no', day: day('kai') }, { answer: 'no-answer' })).toEqual([
    undefined,
    undefined,
    ['0', '1'],
  ]);
  expect(ids(off)).toEqual(['0', undefined, ['0']]);
  expect(ids(told(), off)).toEqual(['1', '0', ['1']]);
  expect(ids({ answer: 'sheet', day: day('kai') }, { answer: 'left-message', day: day('lin') })).toEqual([
    '0',
    '0',
    ['1'],
  ]);
});

test('the latest time that a person was told counts, whatever came after it', () => {
  expect(ids(told('ana'), told('kai'), { answer: 'left-message', day: day('lin') })).toEqual(['1', '1', ['2']]);
  expect(ids(told('ana'), off, off, { answer: 'no-answer' })).toEqual(['2', '0', ['1', '2', '3']]);
});

test('“Not told” takes back the latest time that they were told, and leaves the calls around it', () => {
  const back = { answer: 'not-told' as const };
  expect(ids(told('ana'), told('kai'), back)).toEqual(['0', '0', []]);
  expect(ids(told('ana'), { answer: 'left-message', day: day('kai') }, back)).toEqual([undefined, undefined, ['1']]);
  expect(ids({ answer: 'left-message', day: day('kai') }, told(), back)).toEqual([undefined, undefined, ['0']]);
  expect(ids(told('ana'), off, back)).toEqual(['0', '0', []]);
  expect(ids(told('ana'), told('kai'), back, back)).toEqual([undefined, undefined, []]);
  // Without anything to take back, it changes nothing.
  expect(ids({ answer: 'no-answer' }, back)).toEqual([undefined, undefined, ['0']]);
});

test('an earlier no no longer counts once they were told their whole day, but still counts after a cancellation, and again after “Not told”', () => {
  const no = { answer: 'said-no' as const, day: day('kai') };
  expect(ids(no, told())).toEqual(['1', '1', []]);
  expect(ids(no, off)).toEqual(['1', undefined, ['0', '1']]);
  expect(ids(no, told(), { answer: 'not-told' })).toEqual([undefined, undefined, ['0']]);
});

/** What happens to a family and a therapist, a minute after each other: calls with any result, and what reaches them else. */
const KAI = personKey('therapist', 'kai');
const person = fc.constantFrom(BO, KAI);
const known = fc.constantFrom(day('ana'), day('kai'), []);
const reached = fc
  .record({ person, how: fc.constantFrom<Reached['how'][]>('sent', 'seen'), day: fc.option(known) })
  .map((each): Omit<Reached, 'at'> => ({ version: '', by: '', ...each }));
const call = fc
  .record({
    person,
    answer: fc.constantFrom<Answer['answer'][]>('told', 'sheet', 'left-message', 'no-answer', 'said-no', 'not-told'),
    day: known,
    isOff: fc.boolean(),
    takenBack: fc.boolean(),
  })
  .map(({ isOff, ...each }): Omit<Answer, 'at' | 'id'> => {
    const { person: who, answer } = each;
    const hears = answer !== 'no-answer' && answer !== 'not-told' && (answer !== 'said-no' || who === BO);
    const cancelled = isOff && answer === 'told' && who === BO ? day('lin') : null;
    const [base] = calls(each);
    if (!base) throw new Error('no call');
    return { ...base, day: hears ? each.day : null, cancelled, takenBack: answer === 'said-no' && each.takenBack };
  });
type Step = Omit<Reached, 'at'> | Omit<Answer, 'at' | 'id'>;
const history = fc.array<Step>(fc.oneof(reached, call), { maxLength: 15 });

/** What a person knows after these steps; the minute of a step is its place, unless `minutes` gives it. */
function after(steps: readonly Step[], who = BO, minutes = steps.map((_, i) => i)): Knows {
  const answers: Answer[] = [];
  const outside: Reached[] = [];
  for (const [i, each] of steps.entries()) {
    const id = String(minutes[i]);
    const at = `2030-11-22 07:${id.padStart(2, '0')}:00+00`;
    if ('how' in each) outside.push({ ...each, at });
    else answers.push({ ...each, id, at });
  }
  return knowledge(answers, outside).get(who) ?? KNOWS_NOTHING;
}

const answered = (who: typeof BO, answer: Answer['answer'], more: Partial<Answer> = {}): Step => {
  const [base] = calls({ answer, person: who, ...more });
  if (!base) throw new Error('no call');
  return base;
};

test('whatever had happened: “Not told” undoes “told”, and being told the whole day settles all that came before', () => {
  fc.assert(
    fc.property(history, person, known, fc.constantFrom('told' as const, 'sheet' as const), (steps, who, of, how) => {
      const now = answered(who, how, { day: of });
      expect(after([...steps, now, answered(who, 'not-told')], who)).toEqual(after(steps, who));
      const told = after([...steps, now], who);
      expect(told).toMatchObject({ told: { day: of }, whole: { answer: how }, since: [], heard: [] });
      expect(told.seen).toEqual(after(steps, who).seen);
    }),
  );
});

test('whatever had happened: no answer is only counted, and a therapist who refuses expects nothing that they only heard', () => {
  fc.assert(
    fc.property(history, fc.boolean(), (steps, takenBack) => {
      const before = after(steps, KAI);
      const missed = after([...steps, answered(KAI, 'no-answer')], KAI);
      expect({ ...missed, since: missed.since.slice(0, -1) }).toEqual(before);
      const no = after([...steps, answered(KAI, 'said-no', { takenBack })], KAI);
      expect(no.heard).toEqual(takenBack ? before.heard : []);
      expect([no.told, no.whole]).toEqual([before.told, before.whole]);
      // A family has heard the plan that it refused, and nothing else counts.
      const family = after([...steps, answered(BO, 'said-no', { takenBack, day: day('lin') })]);
      expect(family.heard).toMatchObject([{ how: 'said-no', day: day('lin') }]);
    }),
  );
});

test('calls count in the order in which they were stored, also when a request with an earlier clock was stored later', () => {
  const steps = [answered(BO, 'left-message', { day: day('kai') }), answered(BO, 'told', { day: day('ana') })];
  const message: Step = { person: BO, how: 'sent', version: '', day: day('lin'), by: '' };
  expect(after([...steps, message], BO, [5, 4, 6]).heard).toMatchObject([{ how: 'sent' }]);
  expect(after([...steps, message], BO, [5, 4, 3]).heard).toEqual([]);
});

test('what happens to others changes nothing that a person knows, and the order of what comes from two tables neither', () => {
  fc.assert(
    fc.property(history, person, (steps, who) => {
      const own = [...steps.entries()].filter(([, each]) => each.person === who);
      const minutes = own.map(([i]) => i);
      const alone = own.map(([, each]) => each);
      expect(after(alone, who, minutes)).toEqual(after(steps, who));
      const calledFirst = [...own].sort(([, a], [, b]) => Number('how' in a) - Number('how' in b));
      const apart = after(
        calledFirst.map(([, each]) => each),
        who,
        calledFirst.map(([i]) => i),
      );
      expect(apart).toEqual(after(steps, who));
    }),
  );
});
