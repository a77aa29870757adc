/** How one plan differs from another, session by session, in words. */
import { NOBODY, type CoverModel, type Plan, type PlanPiece } from '../model.ts';
import { SLOT_MINUTES, timeOf } from '../slots.ts';
import { slotsAsTime, span } from './words.ts';

export interface PlanChange {
  session: string;
  client: { id: string; name: string };
  /** The time during which the therapist differs, `HH:MM`. */
  start: string;
  end: string;
  minutes: number;
  /** The therapist in the first plan and in the second; null for none. */
  from: { id: string; name: string } | null;
  to: { id: string; name: string } | null;
  /** Whether no absence affects the session. */
  otherChild: boolean;
  text: string;
}

const whoAt = (pieces: readonly PlanPiece[] | undefined, slot: number): number =>
  pieces?.find((p) => p.from <= slot && slot < p.to)?.therapist ?? NOBODY;

function sentence(client: string, from: number, to: number, was: string | null, is: string | null): string {
  const when = span(from, to);
  if (is === null)
    return `${client} would have no therapist ${when} (${slotsAsTime(to - from)}), instead of ${was ?? 'no one'}.`;
  if (was === null) return `${is} takes ${client} ${when}.`;
  return `${is} takes ${client} ${when} instead of ${was}.`;
}

/** Lists, by session and time, where the second plan has a different therapist from the first. */
export function planChanges(model: CoverModel, first: Plan, second: Plan): PlanChange[] {
  const person = (index: number): PlanChange['from'] => {
    const t = model.therapists[index];
    return t ? { id: t.id, name: t.name } : null;
  };
  const changes: PlanChange[] = [];
  for (const part of model.parts) {
    for (let k = part.from; k < part.to;) {
      const [was, is] = [whoAt(first[part.index], k), whoAt(second[part.index], k)];
      let end = k + 1;
      while (end < part.to && whoAt(first[part.index], end) === was && whoAt(second[part.index], end) === is) end++;
      if (was !== is) {
        const [from, to] = [person(was), person(is)];
        changes.push({
          session: part.session.id,
          client: { id: part.client.id, name: part.client.name },
          start: timeOf(k),
          end: timeOf(end),
          minutes: (end - k) * SLOT_MINUTES,
          from,
          to,
          otherChild: !part.affected,
          text: sentence(part.client.name, k, end, from?.name ?? null, to?.name ?? null),
        });
      }
      k = end;
    }
  }
  return changes;
}
