import { parseJson } from './parse-json.ts';
import type { RecordState } from './chains.ts';
import * as z from 'zod/mini';
import { isoDate, SPECIALIZATIONS } from '@clinic/domain';

const date = z.pipe(z.string(), z.transform(isoDate));
const therapist = z.object({
  name: z.string(),
  credential: z.enum(SPECIALIZATIONS),
  credentials: z.array(
    z.object({
      credential: z.enum(SPECIALIZATIONS),
      number: z.string(),
      from_date: z.nullable(date),
      until_date: z.nullable(date),
    }),
  ),
});
const client = z.object({
  name: z.string(),
  location: z.string(),
  until: z.nullable(z.string()),
  authorizations: z.array(
    z.object({
      payer: z.string(),
      code: z.string(),
      number: z.string(),
      from_date: date,
      until_date: date,
      units: z.number(),
      period: z.enum(['total', 'week', 'month']),
      prior_units: z.nullable(z.number()),
      prior_until: z.nullable(date),
    }),
  ),
});
const named = z.object({ name: z.string() });

interface States {
  therapist: z.infer<typeof therapist>;
  client: z.infer<typeof client>;
  account: z.infer<typeof named>;
  location: z.infer<typeof named>;
}
type Kind = keyof States;
export type StateOf<K extends Kind> = States[K];

const SCHEMAS: { readonly [K in Kind]: z.ZodMiniType<States[K]> } = {
  therapist,
  client,
  account: named,
  location: named,
};

const NOT_ON_RECORD = 'not on record';

/** What records said at a time, from their states. */
export class AsKnown {
  readonly #states = new Map<string, RecordState[]>();

  constructor(states: readonly RecordState[]) {
    for (const state of states) {
      const key = `${state.kind} ${state.subject}`;
      this.#states.set(key, [...(this.#states.get(key) ?? []), state]);
    }
  }

  /** What a record said at an instant (milliseconds since 1970); null if nothing was on record by then. */
  at<K extends Kind>(kind: K, subject: string, instant: number): StateOf<K> | null {
    return read(
      kind,
      this.#of(kind, subject).findLast((state) => Date.parse(state.at) <= instant),
    );
  }

  /**
   * Says what a record said at an instant. If nothing was on record by then, says so, and what was recorded first. If
   * other words are true now, says these too, and since when the record is as it is.
   */
  say<K extends Kind>(kind: K, subject: string, instant: number, words: (state: StateOf<K>) => string): string {
    const states = this.#of(kind, subject);
    const then = this.at(kind, subject, instant);
    const [first, last] = [states[0], states.at(-1)];
    if (!first || !last) return NOT_ON_RECORD;
    if (then === null) {
      const state = read(kind, first);
      return state === null ? NOT_ON_RECORD : `${NOT_ON_RECORD} then; recorded on ${dayOf(first)}: ${words(state)}`;
    }
    const now = read(kind, last);
    const said = words(then);
    return now === null || words(now) === said ? said : `${said} (recorded on ${dayOf(last)}: ${words(now)})`;
  }

  /** Everything that a record ever said. */
  all<K extends Kind>(kind: K, subject: string): StateOf<K>[] {
    return this.#of(kind, subject).flatMap((state) => read(kind, state) ?? []);
  }

  #of(kind: Kind, subject: string): readonly RecordState[] {
    return this.#states.get(`${kind} ${subject}`) ?? [];
  }
}

const dayOf = ({ at }: RecordState): string => at.slice(0, 10);

function read<K extends Kind>(kind: K, state: RecordState | undefined): StateOf<K> | null {
  return state ? parseJson(SCHEMAS[kind], state.state) : null;
}
