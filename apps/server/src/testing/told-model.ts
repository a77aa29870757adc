/**
 * A simple model of what people know, for tests of the call list: minute by minute, or quarter hour by quarter hour, each
 * with the other person and the service, as in `540 kai direct`.
 */
export type Minutes = ReadonlySet<string>;

export const minuteOf = (each: string): number => Number(each.split(' ')[0]);

/** What a person knows of their day, and how they came to know it. */
export interface Standing {
  readonly day: Minutes;
  /** True if a call told them; false if the day sheet did, or if they only heard it. */
  readonly told: boolean;
  /** The minutes of the sessions that a family was told are cancelled, if they were told nothing else. */
  readonly cancelled?: ReadonlySet<number>;
  /** Set if they only heard this day: in a message, when they said no to it, or on their own page. */
  readonly heard?: 'left-message' | 'said-no' | 'seen';
  /** The ids of the noes that stand because of this one; without any, a no cannot be taken back. */
  readonly noes?: readonly string[];
  /** The ids of the noes that this yes ended. */
  readonly ended?: readonly string[];
}

/** The day that a person was last told, of these; undefined if they were told none. */
export const lastTold = (standing: readonly Standing[]): Minutes | undefined =>
  standing.findLast((each) => !each.heard)?.day;

/** Adds that a person was told their whole day; `ended` are the noes that this ended. */
export const andTold = (
  standing: readonly Standing[],
  day: Minutes,
  told: boolean,
  ended: readonly string[] = [],
): Standing[] => [...standing, { day, told, ended }];

/** Adds that a therapist saw a day on their own page, of which only the last time counts. */
export const andSeen = (standing: readonly Standing[], day: Minutes): Standing[] => [
  ...standing.filter((each) => each.heard !== 'seen'),
  { day, told: false, heard: 'seen' },
];

/**
 * Leaves out the noes that were taken back, which then change nothing for a therapist; a family has still heard the plan.
 * @param noes the ids of the noes that stand
 */
export const withoutTakenBack = (
  person: string,
  standing: readonly Standing[],
  noes: readonly string[],
): readonly Standing[] =>
  person.startsWith('client:')
    ? standing
    : standing.filter((each) => !each.noes?.length || each.noes.some((id) => noes.includes(id)));

/** Takes back what a person was told last, so that everything before it counts again, also a no. */
export const notTold = (standing: readonly Standing[]): Standing[] =>
  standing.toSpliced(
    standing.findLastIndex((each) => !each.heard),
    1,
  );

/**
 * Returns what a person may believe, and the minutes of it that they only heard.
 * @param known the day that they were last told
 * @param changed returns the minutes at which a person who knows a day must be told something
 */
export function believedIn(
  person: string,
  standing: readonly Standing[],
  known: Minutes,
  changed: (day: Minutes) => readonly number[],
): { day: Minutes; heard: ReadonlySet<number> } {
  const whole = standing.findLastIndex((each) => !each.heard && !each.cancelled);
  const no = standing.findLastIndex((each) => each.heard === 'said-no');
  const settled = new Set(changed(known));
  const heard = new Set<number>();
  let day = known;
  for (const each of standing.slice(Math.max(whole + 1, person.startsWith('client:') ? no : no + 1)).toReversed()) {
    for (const m of each.cancelled ?? []) settled.add(m);
    if (!each.heard) continue;
    const wrong = new Set(changed(each.day).filter((m) => !settled.has(m)));
    const at = (minutes: Minutes, isWrong: boolean): string[] =>
      [...minutes].filter((minute) => wrong.has(minuteOf(minute)) === isWrong);
    day = new Set([...at(day, false), ...at(each.day, true)]);
    for (const m of wrong) heard.add(m);
    for (const m of wrong) settled.add(m);
  }
  return { day, heard };
}

/** Whether the person was told or has heard something different about these minutes, which have changed since. */
export function isAgain(
  standing: readonly Standing[],
  changed: readonly number[],
  heard: ReadonlySet<number>,
): boolean {
  if (changed.some((m) => heard.has(m))) return true;
  for (const { told, cancelled, heard: only } of standing.toReversed())
    if (only) continue;
    else if (!cancelled) return told;
    else if (changed.some((m) => cancelled.has(m))) return true;
  return false;
}
