/**
 * A model of a small clinic's day as staff see it. The tests compare it with the server's data. It knows who is with
 * whom in each quarter hour, who is away, and which option was submitted. It has no database, no engine and no cover
 * rules: a commit applies exactly what its option shows.
 */

/** The day has 40 quarter hours, from 8:00 to 18:00. */
export const FIRST_MINUTE = 480;
export const QUARTERS = 40;

export const NOBODY = 'Unassigned';

/** Each client's therapist in each quarter hour; null when there is no session. */
export type With = Readonly<Record<string, readonly (string | null)[]>>;

interface Standing {
  readonly proposal: string;
  readonly option: string;
  readonly before: With;
  readonly after: With;
  /** The number of changes to the day so far, including this commit. */
  readonly changes: number;
}

export interface Day {
  readonly with: With;
  /** Whether each therapist is away in each quarter hour. */
  readonly away: Readonly<Record<string, readonly boolean[]>>;
  readonly changes: number;
  readonly standing: Standing | null;
}

/** A proposal: for each option, who takes each part of each client's day. */
export interface Offer {
  readonly proposal: string;
  /** The number of changes to the day when the proposal was made. */
  readonly changes: number;
  readonly options: Readonly<Record<string, readonly OfferedCell[]>>;
}

/** A range of quarter hours of the day; `to` is not included. */
interface QuarterHours {
  readonly from: number;
  readonly to: number;
}

export interface OfferedCell extends QuarterHours {
  readonly client: string;
  /** The therapist; null when the session is cancelled. */
  readonly therapist: string | null;
}

export type Act =
  | ({ readonly kind: 'book'; readonly client: string; readonly therapist: string } & QuarterHours)
  | ({
      readonly kind: 'move';
      readonly client: string;
      readonly therapist: string;
      readonly was: QuarterHours;
    } & QuarterHours)
  | ({ readonly kind: 'cancel'; readonly client: string } & QuarterHours)
  | ({ readonly kind: 'away'; readonly therapist: string; readonly replaces: boolean } & QuarterHours)
  | { readonly kind: 'submit'; readonly offer: Offer; readonly option: string }
  | { readonly kind: 'undo' };

/** A possible outcome of an action: whether it was done, and the day afterwards. */
export interface Outcome {
  readonly done: boolean;
  readonly day: Day;
}

/**
 * Returns all possible outcomes of an action. Usually there is only one; there are two if staff cannot know whether
 * anything prevents the action.
 */
export function outcomes(day: Day, act: Act): Outcome[] {
  const refused: Outcome = { done: false, day };
  const done = (next: Partial<Day>): Outcome => ({ done: true, day: { ...day, changes: day.changes + 1, ...next } });
  switch (act.kind) {
    case 'book':
      return isFree(day.with, act, act.client, act.therapist)
        ? [done({ with: put(day.with, act.client, act, act.therapist) })]
        : [refused];
    case 'move': {
      if (act.was.from === act.from) return [{ done: true, day }];
      const without = put(day.with, act.client, act.was, null);
      return isFree(without, act, act.client, act.therapist)
        ? [done({ with: put(without, act.client, act, act.therapist) })]
        : [refused];
    }
    case 'cancel':
      return [done({ with: put(day.with, act.client, act, null) })];
    case 'away': {
      const now = day.away[act.therapist] ?? [];
      const next = Array.from({ length: QUARTERS }, (_, q) => within(act, q) || (!act.replaces && now[q] === true));
      if (next.every((away, q) => away === (now[q] === true))) return [{ done: true, day }];
      return [done({ away: { ...day.away, [act.therapist]: next } })];
    }
    case 'submit': {
      const { offer, option } = act;
      if (day.standing?.proposal === offer.proposal)
        return day.standing.option === option ? [{ done: true, day }] : [refused];
      const cells = offer.options[option] ?? [];
      const after = cells.reduce((all, cell) => put(all, cell.client, cell, cell.therapist), day.with);
      const changes = day.changes + 1;
      const written = done({
        with: after,
        standing: { proposal: offer.proposal, option, before: day.with, after, changes },
      });
      return offer.changes === day.changes ? [written] : [written, refused];
    }
    case 'undo': {
      const { standing } = day;
      if (!standing) return [{ done: true, day }];
      const back = Object.fromEntries(
        Object.entries(day.with).map(([client, quarters]) => [
          client,
          quarters.map((who, q) =>
            standing.before[client]?.[q] === standing.after[client]?.[q] ? who : (standing.before[client]?.[q] ?? null),
          ),
        ]),
      );
      const undone = done({ with: back, standing: null });
      return standing.changes === day.changes ? [undone] : [undone, refused];
    }
  }
}

const within = ({ from, to }: QuarterHours, quarter: number): boolean => quarter >= from && quarter < to;

function put(all: With, client: string, stretch: QuarterHours, who: string | null): With {
  const own = all[client] ?? [];
  return { ...all, [client]: own.map((now, q) => (within(stretch, q) ? who : now)) };
}

function isFree(all: With, stretch: QuarterHours, client: string, therapist: string): boolean {
  return Object.entries(all).every(([each, quarters]) =>
    quarters.every(
      (who, q) => !within(stretch, q) || who === null || (each !== client && (who !== therapist || who === NOBODY)),
    ),
  );
}
