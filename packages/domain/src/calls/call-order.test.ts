import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterWords, inCallOrder, isUrgent, type OrderedCall } from './call-order.ts';
import { hangingChanges, type HangingCall } from './hanging.ts';
import { netChanges, type ToldStretch } from './told-day.ts';

interface Call extends OrderedCall {
  readonly asks: readonly string[];
}
const line = (name: string, first: number, more: Partial<Call> = {}): Call => {
  return { name, first, call: 'inform', urgent: false, here: false, asks: [], ...more };
};
const ask = (name: string, first: number, more: Partial<Call> = {}): Call =>
  line(name, first, { call: 'ask', ...more });
const order = (lines: readonly Call[]) =>
  inCallOrder(lines, ({ asks }) => lines.filter((each) => asks.includes(each.name)));
const shown = (lines: readonly Call[]): string[] =>
  order(lines).map(({ line: { name }, after, urgent }) =>
    [urgent ? '!' : '', name, ...after.map((each) => `<${each.name}`)].join(''),
  );

test('calls are in order: urgent ones first, then asks, then the rest by minute, people who are not in yet before those who are', () => {
  const rest = [line('Zed', 500), line('Ann', 500, { here: true }), line('Bea', 480), line('Abe', 500)];
  expect(
    shown([...rest, line('Cyd', 700, { urgent: true }), ask('Yuki', 800), ask('Omar', 800, { here: true })]),
  ).toEqual(['!Cyd', 'Yuki', 'Omar', 'Bea', 'Abe', 'Zed', 'Ann']);
  expect(
    [
      [510, 480],
      [511, 480],
      [400, 480],
      [500, null],
    ].map(([at, now]) => isUrgent(at ?? 0, now ?? null)),
  ).toEqual([true, false, true, false]);
});

test('given a family that is promised someone who is asked, then it stands under the ask, which counts from the family’s minute', () => {
  const kenji = line('Kenji', 480, { call: 'family', asks: ['Yuki'] });
  expect(shown([kenji, ask('Yuki', 510), ask('Ada', 500), line('Bea', 470)])).toEqual([
    'Yuki',
    'Kenji<Yuki',
    'Ada',
    'Bea',
  ]);
  // Red takes its ask along, and leaves what else waits for it under it.
  const late = line('Late', 900, { asks: ['Yuki'] });
  const red = { ...kenji, urgent: true };
  expect(shown([late, ask('Ada', 300), red, ask('Yuki', 510)])).toEqual(['!Yuki', '!Kenji<Yuki', 'Late<Yuki', 'Ada']);
});

test('given someone who waits for two asks, or for an ask behind another, then they stand under the last, and a circle of asks has a beginning', () => {
  const both = line('Both', 480, { asks: ['Yuki', 'Omar'] });
  expect(shown([both, ask('Omar', 600), ask('Yuki', 500)])).toEqual(['Omar', 'Yuki', 'Both<Omar<Yuki']);
  const nested = ask('Omar', 400, { asks: ['Yuki'] });
  const family = line('Bo', 400, { asks: ['Omar'] });
  expect(shown([family, nested, ask('Yuki', 500)])).toEqual(['Yuki', 'Omar<Yuki', 'Bo<Omar']);
  expect(shown([ask('Yuki', 500, { asks: ['Omar'] }), ask('Omar', 400, { asks: ['Yuki'] })])).toEqual([
    'Omar',
    'Yuki<Omar',
  ]);
  expect([afterWords(['Yuki']), afterWords(['Yuki', 'Omar'])]).toEqual([
    'after Yuki says yes',
    'after Yuki and Omar say yes',
  ]);
});

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
const calls = fc
  .array(
    fc.record({
      first: fc.integer({ min: 400, max: 410 }),
      urgent: fc.boolean(),
      here: fc.boolean(),
      isAsk: fc.boolean(),
      on: fc.subarray(NAMES),
    }),
    { maxLength: NAMES.length },
  )
  .map((list) => {
    const names = list.flatMap(({ isAsk }, i) => (isAsk ? (NAMES[i] ?? []) : []));
    return list.map(({ isAsk, on, ...rest }, i): Call => {
      const name = NAMES[i] ?? '';
      return { name, ...rest, call: isAsk ? 'ask' : 'inform', asks: on.filter((o) => names.includes(o) && o !== name) };
    });
  });

test('whatever hangs on what, everyone has one place, stands below those whose yes they wait for, and red is on top', () => {
  fc.assert(
    fc.property(calls, (lines) => {
      const placed = order(lines);
      expect(placed.map((each) => each.line.name).sort()).toEqual(lines.map((each) => each.name).sort());
      placed.forEach(({ line: is, after, urgent }, i) => {
        for (const each of after) {
          const at = placed.findIndex((other) => other.line === each);
          expect(at).toBeLessThan(i);
          if (urgent) expect(placed[at]?.urgent).toBe(true);
        }
        // Everyone but an ask in a circle waits for all that they hang on.
        if (is.call !== 'ask') expect(after.map(({ name }) => name).sort()).toEqual([...is.asks].sort());
      });
      const roots = placed.filter(({ after }) => after.length === 0);
      const rank = ({ line: { call }, urgent }: (typeof roots)[number]): number =>
        (urgent ? 0 : 2) + (call === 'ask' ? 0 : 1);
      expect(roots.map(rank)).toEqual(roots.map(rank).sort((a, b) => a - b));
    }),
  );
});

const s = (
  start: number,
  end: number,
  other: string | null,
  service: ToldStretch['service'] = 'direct',
): ToldStretch => ({
  start: start * 60,
  end: end * 60,
  with: other,
  service,
});
type Day = readonly ToldStretch[];
const of = (kind: 'therapist' | 'client', id: string, call: HangingCall['call'], told: Day, now: Day): HangingCall => ({
  kind,
  id,
  call,
  changes: netChanges(told, now),
});
const therapist = (id: string, call: 'ask' | 'inform', told: Day, now: Day) => of('therapist', id, call, told, now);
const family = (id: string, told: Day, now: Day) => of('client', id, 'family', told, now);
const hanging = (lines: readonly HangingCall[]): Record<string, string[]> =>
  Object.fromEntries(
    [...hangingChanges(lines)].map(([{ id }, all]) => [
      id,
      [...new Set(all.flatMap(({ asks }) => asks.map((each) => each.id)))].sort(),
    ]),
  );

test('a family hangs on whoever it is promised, the therapist of a swap on who takes theirs, and the other family with them', () => {
  const yuki = therapist('yuki', 'ask', [], [s(9, 11, 'kenji')]);
  const kenji = family('kenji', [s(9, 11, 'ana')], [s(9, 11, 'yuki')]);
  expect(hanging([kenji, yuki])).toEqual({ kenji: ['yuki'] });
  // Yuki comes in for Bo, so that Lin can take Ida; in the afternoon Lin takes Mo, whatever Yuki says.
  const all = [
    therapist('yuki', 'ask', [], [s(9, 11, 'bo')]),
    therapist('lin', 'inform', [s(9, 11, 'bo')], [s(9, 11, 'ida'), s(14, 15, 'mo')]),
    family('bo', [s(9, 11, 'lin')], [s(9, 11, 'yuki')]),
    family('ida', [s(9, 11, 'ana')], [s(9, 11, 'lin')]),
    family('mo', [s(14, 15, 'ana')], [s(14, 15, 'lin')]),
    family('eve', [s(9, 10, 'ana')], []),
  ];
  expect(hanging(all)).toEqual({ lin: ['yuki'], bo: ['yuki'], ida: ['yuki'] });
  expect(hanging(all.map((each) => ({ ...each, call: 'inform' as const })))).toEqual({});
});

test('given an ask behind another ask, and asks that hang on each other, then all of it hangs on both', () => {
  const all = [
    therapist('yuki', 'ask', [], [s(9, 11, 'bo')]),
    therapist('omar', 'ask', [s(9, 11, 'bo')], [s(8, 11, 'ida')]),
    family('ida', [s(8, 11, 'ana')], [s(8, 11, 'omar')]),
  ];
  expect(hanging(all)).toEqual({ omar: ['yuki'], ida: ['omar', 'yuki'] });
  const circle = [
    therapist('yuki', 'ask', [s(9, 11, 'ida')], [s(9, 11, 'bo')]),
    therapist('omar', 'ask', [s(9, 11, 'bo')], [s(9, 11, 'ida')]),
    family('bo', [s(9, 11, 'omar')], [s(9, 11, 'yuki')]),
  ];
  expect(hanging(circle)).toEqual({ yuki: ['omar'], omar: ['yuki'], bo: ['omar', 'yuki'] });
});

test('the direct session of a therapist who is asked does not hang on the supervision, and other times do not hang on each other', () => {
  const max = therapist('max', 'ask', [], [s(9, 10, 'bo', 'supervision'), s(13, 14, 'ida')]);
  expect(
    hanging([
      max,
      family(
        'bo',
        [s(9, 10, 'ana'), s(9, 10, 'eva', 'supervision')],
        [s(9, 10, 'kai'), s(9, 10, 'eva', 'supervision')],
      ),
      therapist('eva', 'inform', [s(9, 10, 'bo', 'supervision')], [s(11, 12, 'mo')]),
      family('mo', [s(11, 12, 'ana')], [s(11, 12, 'eva')]),
    ]),
  ).toEqual({ eva: ['max'] });
});
