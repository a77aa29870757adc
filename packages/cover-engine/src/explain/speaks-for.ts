/** The reasons for choosing a piece's therapist. */
import { countMarked } from '../constraints/view.ts';
import { FAMILIARITY, type PlanPiece, type TherapistModel } from '../model.ts';
import { SLOTS } from '../slots.ts';
import { prefersOf, type Reason, type Scene } from './scene.ts';
import { listed, slotsAsTime, span } from './words.ts';

/** The other pieces that the client has with the same therapist that day. */
function sameDay({ model, plan, part, piece, t }: Scene): PlanPiece[] {
  return model.parts
    .filter((p) => p.client === part.client)
    .flatMap((p) => (plan[p.index] ?? []).map((q) => ({ ...q, part: p.index })))
    .filter((q) => q.therapist === t.index && !(q.part === part.index && q.from === piece.from))
    .sort((a, b) => a.from - b.from);
}

/** How many of the piece's slots are free because the therapist's own clients are absent. */
function freedSlots({ model, part, piece, t }: Scene): number {
  const freed = new Uint8Array(SLOTS);
  for (const s of model.sessions)
    if (s.booked === t.index && s !== part.session)
      for (let k = s.from; k < s.to; k++) if (s.client.away[k] && !t.away[k]) freed[k] = 1;
  return countMarked(freed, piece.from, piece.to);
}

/** The reasons for a piece's therapist. */
export function whatSpeaksFor(scene: Scene): Reason[] {
  const { model, part, piece, t } = scene;
  const client = part.client.name;
  const found: Reason[] = [];
  const say = (code: string, text: string): number => found.push({ code, text });
  // Whoever is not in the building may have been sent home from the middle of their day.
  const isHere = t.call <= 1;
  if (t.index === part.booked) say('booked', `${t.name} is booked for this session${isHere ? ' and is there' : ''}.`);
  else if (part.client.familiarity[t.index] === FAMILIARITY.team) say('team', `On ${client}’s care team.`);
  else if (part.client.familiarity[t.index] === FAMILIARITY.known) say('known', `Has worked with ${client} before.`);
  if (t.index !== part.booked) for (const text of whatIsNeeded(scene)) say('needs', text);
  const liked = prefersOf(scene).filter((tag) => t.tags.has(tag));
  if (liked.length > 0) say('match', `Has what ${client} does best with: ${listed(liked)}.`);
  const also = sameDay(scene);
  if (also.length > 0) say('same day', `Also with ${client} ${listed(also.map((p) => span(p.from, p.to)))}.`);
  const freed = freedSlots(scene);
  if (freed > 0) say('free anyway', `Has ${slotsAsTime(freed)} free then because their own client is away.`);
  if (isHere && t.dayFrom <= piece.from && piece.to <= t.dayTo) say('inside day', 'Already at work then.');
  if (part.affected && hasAllThatIsLeft(scene))
    say(
      'whole',
      part.session.from < model.now
        ? 'Takes all that is left of the session.'
        : 'Takes the whole session, without a handover.',
    );
  if (!part.affected) {
    const booked = model.therapists[part.booked];
    const needed = booked ? movedTo(scene, booked) : [];
    if (booked && needed.length > 0) say('frees', `This frees ${booked.name} for ${listed(needed)}.`);
  }
  return found;
}

/** Whether the therapist has every part of the session that still has to be planned, as a whole. */
const hasAllThatIsLeft = ({ plan, part, t }: Scene): boolean =>
  part.session.parts.every(({ index }) => plan[index]?.length === 1 && plan[index][0]?.therapist === t.index);

/** Says which of the client's needs and the payer's requirements the therapist meets, one sentence each. */
function whatIsNeeded({ part, t }: Scene): string[] {
  const { name, needs, payer } = part.client;
  const wants = needs.filter((tag) => t.tags.has(tag) && payer?.needs.includes(tag) !== true);
  const asked = [...(payer?.needs ?? []), ...(payer?.credentials?.includes(t.credential) ? [t.credential] : [])];
  return [
    ...(wants.length > 0 ? [`Has what ${name} needs: ${listed(wants)}.`] : []),
    ...(payer ? [`Has what ${payer.name} requires: ${listed(asked)}.`] : []),
  ];
}

/** For a swap, the names of the clients whom the booked therapist serves during this piece instead. */
function movedTo({ model, plan, part, piece }: Scene, booked: TherapistModel): string[] {
  const names = model.parts
    .filter((p) => p !== part)
    .filter((p) =>
      (plan[p.index] ?? []).some((q) => q.therapist === booked.index && q.from < piece.to && piece.from < q.to),
    )
    .map((p) => p.client.name);
  return [...new Set(names)];
}
