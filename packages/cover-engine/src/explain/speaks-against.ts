/** The reasons against a piece's therapist: a table of sentences by term. */
import { countMarked } from '../constraints/view.ts';
import { LUNCH } from '../limits.ts';
import { FAMILIARITY, type Part, type TherapistModel } from '../model.ts';
import { TERMS, type Term } from '../terms.ts';
import { hasDoneMuch, usualLoad } from './load.ts';
import { prefersOf, type Reason, type Scene } from './scene.ts';
import { clock, listed, slotsAsTime, span } from './words.ts';

/** What a sentence is about: a term (with `change` called `handover`), or `moves own`, which itself costs no points. */
type Subject = Exclude<Term, 'change'> | 'handover' | 'moves own';

/** Returns the sentences that are true of a piece; null for a subject that never has a sentence. */
type Sentences = ((scene: Scene) => readonly string[]) | null;

/** A sentence, if its condition holds or its term costs points; otherwise nothing. */
const when = (holds: boolean | number | undefined, text: string): string[] => (holds ? [text] : []);

const isUnfamiliar = (part: Part, t: TherapistModel): boolean => TERMS.unfamiliar.of(part, t) > 0;

const lengthOf = ({ piece }: Scene): number => piece.to - piece.from;

/**
 * The sentences for each subject, in the order in which they are shown. The code compiles only if every subject has an
 * entry.
 */
const AGAINST = {
  // A piece with a therapist leaves no time uncovered.
  uncovered: null,
  gap: null,
  // What is beside a piece decides whether it is a stub, so a sentence about its own length would not do.
  stub: (scene) => when(scene.costs.stub, 'Leaves under an hour of care beside time without a therapist.'),
  swap: ({ part }) => when(!part.affected, `${part.client.name}’s session was not affected, but changes therapists.`),
  // The sentence for `new` already covers these people.
  face: null,
  // The sentence for `new`, or for `unfamiliar`, says more.
  substitute: null,
  unfamiliar: ({ part, t }) => when(isUnfamiliar(part, t), `Has not met ${part.client.name}, so ask first.`),
  new: ({ part, t }) =>
    when(part.client.familiarity[t.index] === FAMILIARITY.new && !isUnfamiliar(part, t), `New to ${part.client.name}.`),
  // Familiarity is a reason for the therapist, so `speaks-for.ts` lists it.
  known: null,
  match: (scene) => {
    const lacks = prefersOf(scene).filter((tag) => !scene.t.tags.has(tag));
    return when(lacks.length > 0, `Does not have what ${scene.part.client.name} does best with: ${listed(lacks)}.`);
  },
  call: ({ t, part, called: [who, another] }) => {
    if (!who) return [];
    if (another) return ['More than one person has to be called for this.'];
    const name = who === part.client ? `The family of ${who.name}` : who.name;
    return [`${name} has to be called for this${who === t && t.call > 1 ? ', and is not in yet' : ''}.`];
  },
  bcba: (scene) => when(scene.costs.bcba, `A BCBA runs the session for ${slotsAsTime(lengthOf(scene))}.`),
  handover: ({ part, piece }) => [
    ...when(piece.from > part.from, `A handover at ${clock(piece.from)}.`),
    ...when(piece.to < part.to, `A handover at ${clock(piece.to)}.`),
  ],
  short: (scene) => when(scene.costs.short, `Only ${slotsAsTime(lengthOf(scene))} of the session.`),
  taken: (scene) => {
    const { model, part, piece, costs } = scene;
    const booked = model.therapists[part.booked];
    if (!costs.taken || !booked) return [];
    const there = lengthOf(scene) - countMarked(booked.away, piece.from, piece.to);
    return [`${booked.name} is at work for ${slotsAsTime(there)} of this time.`];
  },
  'moves own': (scene) =>
    movedAway(scene).map((p) => `Their own session with ${p.client.name} (${span(p.from, p.to)}) goes to others.`),
  callin: (scene) => {
    const { piece, t } = scene;
    const outside = lengthOf(scene) - Math.max(0, Math.min(piece.to, t.dayTo) - Math.max(piece.from, t.dayFrom));
    return when(outside > 0, `Works ${slotsAsTime(outside)} outside their booked day.`);
  },
  admin: ({ piece, t }) => {
    const admin = countMarked(t.admin, piece.from, piece.to);
    return when(admin > 0, `Gives up ${slotsAsTime(admin)} of admin time.`);
  },
  // Every substitute's piece is extra work, so that is not worth a sentence; `overload` has one for a large amount.
  added: null,
  overload: ({ t, added, costs }) => {
    const over = added - usualLoad(t);
    return [
      ...when(hasDoneMuch(t) && costs.overload, 'Covered more than others lately, or has few hours left.'),
      ...when(over > 0, `Covers ${slotsAsTime(added)} that day, ${slotsAsTime(over)} more than usual.`),
    ];
  },
  lunch: ({ costs }) => when(costs.lunch, `Loses part of lunch (${span(LUNCH.from, LUNCH.to)}).`),
} satisfies Readonly<Record<Subject, Sentences>>;

/** The therapist's own parts that others take over during the piece. */
function movedAway({ model, plan, part, piece, t }: Scene): Part[] {
  return model.parts.filter(
    (p) =>
      p.booked === t.index &&
      p !== part &&
      p.from < piece.to &&
      piece.from < p.to &&
      (plan[p.index] ?? []).some((q) => q.therapist !== t.index && q.from < piece.to && piece.from < q.to),
  );
}

/** The reasons against a piece's therapist; empty if that is the booked therapist. */
export function whatSpeaksAgainst(scene: Scene): Reason[] {
  if (scene.t.index === scene.part.booked) return [];
  return Object.entries<Sentences>(AGAINST).flatMap(([code, sentences]) =>
    (sentences?.(scene) ?? []).map((text) => ({ code, text })),
  );
}
