/**
 * The hard rules by name, in the order of their numbers in the design. Every option and every commit is checked against
 * them. The file is over 250 lines because each rule is read beside the others.
 */
import { clockTime, duration, pushTo } from '@clinic/domain';
import { HALF_HOUR, NOTICE, PIECES } from '../limits.ts';
import { FAMILIARITY, serveFault, type ServeFault } from '../model.ts';
import { exactSlotOf, minuteOf, SLOT_MINUTES, SLOTS, timeOf } from '../slots.ts';
import { countMarked, type PlanView, type ViewPiece } from './view.ts';
import { atPart, atPiece, type Violation } from './violation.ts';

export type HardRule = (view: PlanView) => Violation[];

/** Rule 1: each part is divided into pieces without overlaps or gaps. */
function division(view: PlanView): Violation[] {
  return view.parts.flatMap((p) => {
    let at = p.part.from;
    for (const piece of p.pieces) {
      const wrong =
        piece.from !== at || piece.to <= piece.from || !Number.isInteger(piece.from) || !Number.isInteger(piece.to);
      if (wrong) return [atPart(1, 'division', p, `The pieces overlap or leave a gap at ${timeOf(piece.from)}.`)];
      at = piece.to;
    }
    return at === p.part.to ? [] : [atPart(1, 'division', p, `The pieces end at ${timeOf(at)}.`)];
  });
}

/**
 * Rule 2: an unaffected part stays as booked, with one exception: a direct session that has not begun may move as a
 * whole to a substitute whom the client knows.
 */
function unaffected(view: PlanView): Violation[] {
  return view.parts.flatMap((p) => {
    if (!p.moved) return [];
    const [piece] = p.pieces;
    const broken = (detail: string) => [atPart(2, 'unaffected', p, detail)];
    if (p.part.session.service !== 'direct') return broken('Only direct sessions may move to free their therapist.');
    if (p.pieces.length !== 1 || !piece?.therapist)
      return broken('A session whose therapist is present may move only as a whole.');
    if (p.part.begun) return broken('This session has begun and stays with its therapist.');
    if (p.part.client.familiarity[piece.therapist.index] === FAMILIARITY.new)
      return broken(`A session moves only to someone the client knows, and ${piece.therapist.name} is new.`);
    return [];
  });
}

/** Rule 3: no therapist has a piece while they are absent, unless the part stays as booked. */
function present(view: PlanView): Violation[] {
  return view.pieces.flatMap((p) =>
    p.therapist && !p.stays && countMarked(p.therapist.away, p.from, p.to) > 0
      ? [atPiece(3, 'present', p, `${p.therapist.name} is away.`)]
      : [],
  );
}

/** Rule 3: a substitute is available throughout their piece. */
function available(view: PlanView): Violation[] {
  return view.others.flatMap((p) =>
    countMarked(p.therapist.free, p.from, p.to) < p.to - p.from
      ? [atPiece(3, 'available', p, `${p.therapist.name} is not available all of this time.`)]
      : [],
  );
}

const WORDS: Readonly<Record<ServeFault, string>> = {
  credential: 'does not have the credential for this session',
  'not known': 'is new to the client, who sees only familiar people',
  'has not met': 'has not met the client, and this service stays with people whom the client knows',
  gender: 'is not the gender that the client requires',
  excluded: 'is excluded for this client',
  'new here': 'is new here and serves only clients who know them',
  needs: 'does not have what this client needs',
  payer: 'does not have what the client’s payer requires',
  declined: 'said no to this session',
};

/**
 * Rule 3: a substitute may serve the client. Checks credential, gender, exclusions, needs, clients who accept only
 * people they know, and declined sessions.
 */
function mayServe(view: PlanView): Violation[] {
  return view.others.flatMap((p) => {
    const fault = serveFault(p.therapist, p.part.session);
    return fault ? [atPiece(3, 'mayServe', p, `${p.therapist.name} ${WORDS[fault]}.`)] : [];
  });
}

/** Rule 3: only direct sessions may be covered in pieces. */
function wholeServices(view: PlanView): Violation[] {
  return view.others.flatMap((p) =>
    p.part.session.service !== 'direct' && !p.whole
      ? [atPiece(3, 'wholeServices', p, `A ${p.part.session.service} session is covered as a whole or not at all.`)]
      : [],
  );
}

/** Rule 4: a substitute's piece lasts at least half an hour, or is the whole part. */
function pieceLength(view: PlanView): Violation[] {
  return view.others.flatMap((p) =>
    p.to - p.from < HALF_HOUR && !p.whole
      ? [atPiece(4, 'pieceLength', p, 'No one comes for less than half an hour.')]
      : [],
  );
}

/**
 * Rule 4: limits how often people come and go in one part. A substitute's piece counts as two, a piece of the booked
 * therapist as one, and the sum is at most 4. The booked therapist has at most 2 pieces, every other at most one.
 */
function people(view: PlanView): Violation[] {
  return view.parts.flatMap((p) => {
    const others = p.pieces.filter((x) => x.other).length;
    const own = p.pieces.filter((x) => x.own).length;
    const twice = p.pieces.find((x, i) => x.other && p.pieces.slice(0, i).some((y) => y.therapist === x.therapist));
    if (twice?.therapist) return [atPart(4, 'people', p, `${twice.therapist.name} comes to one session twice.`)];
    return 2 * others + own > PIECES.together || own > PIECES.own
      ? [atPart(4, 'people', p, 'Too many people come and go in one session.')]
      : [];
  });
}

/** Rule 4: pieces that follow each other have different therapists. */
function neighbours(view: PlanView): Violation[] {
  return view.parts.flatMap((p) =>
    p.pieces
      .filter((x, i) => i > 0 && p.pieces[i - 1]?.therapist === x.therapist)
      .map((x) => atPiece(4, 'neighbours', x, 'Two pieces in a row have the same therapist, or none.')),
  );
}

/**
 * Rule 5: a piece with a therapist starts and ends on the half hour, at the part's start or end, or when its therapist
 * or the booked therapist comes or goes.
 */
function boundary(view: PlanView): Violation[] {
  return view.pieces.flatMap((p) => {
    const therapist = p.therapist;
    const booked = view.model.therapists[p.part.booked];
    if (!therapist) return [];
    const wrong = [p.from, p.to].filter(
      (at) =>
        at % HALF_HOUR !== 0 && at !== p.part.from && at !== p.part.to && !therapist.events[at] && !booked?.events[at],
    );
    return wrong.map((at) =>
      atPiece(5, 'boundary', p, `No one comes or goes at ${clockTime(minuteOf(at))}; changes are on the half hour.`),
    );
  });
}

/**
 * Returns the slots [from, to) in which two pieces of one therapist overlap; null if there are none, or if both pieces
 * stay as booked.
 */
function clashes(a: ViewPiece, b: ViewPiece): [number, number] | null {
  if (a.stays && b.stays) return null;
  const from = Math.max(a.from, b.from, 0);
  const to = Math.min(a.to, b.to, SLOTS);
  return from < to ? [from, to] : null;
}

/**
 * Rule 6: a therapist is in one place at a time. Two sessions that were booked at overlapping times are allowed if both
 * stay as booked.
 */
function onePlace(view: PlanView): Violation[] {
  const byTherapist = new Map<string, ViewPiece[]>();
  for (const p of view.pieces) if (p.therapist) pushTo(byTherapist, p.therapist.id, p);
  const found: Violation[] = [];
  for (const [id, pieces] of byTherapist) {
    pieces.forEach((a, i) => {
      for (const b of pieces.slice(i + 1)) {
        const clash = clashes(a, b);
        if (!clash) continue;
        const [start, end] = [timeOf(clash[0]), timeOf(clash[1])];
        const [from, to] = [clockTime(minuteOf(clash[0])), clockTime(minuteOf(clash[1]))];
        const detail = `${a.therapist?.name ?? id} would be in two places from ${from} to ${to}.`;
        for (const p of [a, b])
          found.push({ rule: 6, name: 'onePlace', session: p.part.session.id, therapist: id, start, end, detail });
      }
    });
  }
  return found;
}

/** Rule 7: a pinned session has exactly the pinned pieces. */
function pins(view: PlanView): Violation[] {
  return (view.model.problem.pins ?? []).flatMap((pin) => {
    const session = view.model.sessionById.get(pin.session);
    const got = view.pieces
      .filter((p) => p.part.session.id === pin.session)
      .map((p) => ({ therapist: p.therapist?.id ?? null, from: p.from, to: p.to }));
    const want = pin.pieces
      .map((p) => ({ therapist: p.therapist ?? null, from: exactSlotOf(p.start), to: exactSlotOf(p.end) }))
      .sort((a, b) => a.from - b.from);
    const same =
      got.length === want.length &&
      got.every((g, i) => g.therapist === want[i]?.therapist && g.from === want[i].from && g.to === want[i].to);
    if (same) return [];
    const [start, end] = [timeOf(session?.from ?? 0), timeOf(session?.to ?? 0)];
    return [
      {
        rule: 7,
        name: 'pins',
        session: pin.session,
        therapist: null,
        start,
        end,
        detail: 'This session is not as it was pinned.',
      } satisfies Violation,
    ];
  });
}

/**
 * Rule 8: on the current day, a piece that starts within the next hour needs a substitute whose booked day includes
 * that start.
 */
function notice(view: PlanView): Violation[] {
  const { model } = view;
  if (!model.today) return [];
  return view.others.flatMap((p) =>
    p.from < model.now + NOTICE && !(p.therapist.dayFrom <= p.from && p.from < p.therapist.dayTo)
      ? [atPiece(8, 'notice', p, `${p.therapist.name} would be called in with less than an hour’s notice.`)]
      : [],
  );
}

/**
 * Rule 9: the slots of other therapists' sessions that a therapist takes are at most their cap plus the slots that
 * their own absent clients leave free.
 */
function cap(view: PlanView): Violation[] {
  return view.model.therapists.flatMap((t) => {
    if (t.cap === null) return [];
    const pieces: ViewPiece[] = view.others.filter((p) => p.therapist === t);
    const given = pieces.reduce((n, p) => n + p.to - p.from, 0);
    const most = t.cap + t.freed;
    if (given <= most) return [];
    const [has, may] = [duration(given * SLOT_MINUTES), duration(most * SLOT_MINUTES)];
    return pieces.map((p) =>
      atPiece(9, 'cap', p, `${t.name} would take ${has} of others’ sessions, but may take at most ${may}.`),
    );
  });
}

export const HARD_RULES = {
  division,
  unaffected,
  present,
  available,
  mayServe,
  wholeServices,
  pieceLength,
  people,
  neighbours,
  boundary,
  onePlace,
  pins,
  notice,
  cap,
} satisfies Readonly<Record<string, HardRule>>;
export type HardRuleName = keyof typeof HARD_RULES;
