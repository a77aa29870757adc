/**
 * An independent judge: it reads problems and answers as JSON, checks every rule of the three problems and counts every
 * score, and shares no code with the engine. Tests compare the engine with it.
 * The file is over 250 lines because it shares nothing with others.
 */
export type Windows = [string, string][];
type ByDate<T> = Record<string, T>;

export interface JsonTherapist {
  id: string;
  credential: string;
  gender: string;
  tags?: string[];
  onlyKnown?: boolean;
  free?: ByDate<Windows>;
  admin?: ByDate<Windows>;
  day?: ByDate<[string, string]>;
  caps?: Record<string, number>;
}
export interface JsonClient {
  id: string;
  priority?: number;
  requiresGender?: string[];
  excludes?: string[];
  knownOnly?: boolean;
  credentials?: string[] | null;
  needs?: string[];
  knows?: Record<string, string>;
  caps?: Record<string, number>;
  windows?: ByDate<Windows>;
}
export interface JsonRun {
  therapist: string | null;
  from: string;
  to: string;
  open?: string[];
}
export interface JsonSeries {
  id: string;
  client: string;
  service: string;
  start: string;
  end: string;
  dates: string[];
  weight?: number;
}
export interface JsonProblem {
  format: string;
  dates: string[];
  therapists: JsonTherapist[];
  clients: JsonClient[];
  series?: JsonSeries[];
  declined?: { therapist: string; series: string }[];
  pins?: { series: string; runs: JsonRun[] }[];
  client?: string;
  busy?: ByDate<Windows>;
  windows?: Record<string, Windows>;
  wanted?: { sessions: number; slots: number; people: number; service: string };
  owed?: { client: string; slots: number; weight?: number }[];
}
interface JsonPiece {
  client: string;
  therapist: string;
  date: string;
  start: string;
  end: string;
}
export interface JsonOption {
  strategy?: string;
  proven?: boolean;
  bound?: number;
  score?: { total: number };
  series?: { series: string; runs: JsonRun[] }[];
  sessions?: { weekday: number; start: string; therapist: string }[];
  pieces?: JsonPiece[];
}

export interface Verdict {
  broken: string[];
  total: number;
  units: { open: number; strange: number; persons: number };
}

const slotOf = (time: string): number => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) - 420) / 15;
const at = (date: string): Date => new Date(`${date}T12:00:00Z`);
const weekdayOf = (date: string): number => at(date).getUTCDay();

export function mondayOf(date: string): string {
  const day = at(date);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

const holds = (windows: Windows | undefined, slot: number): boolean =>
  (windows ?? []).some(([a, b]) => slotOf(a) <= slot && slot < slotOf(b));

const slots = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

export function mayServe(t: JsonTherapist, c: JsonClient, service: string): boolean {
  const known = c.knows?.[t.id] !== undefined;
  if (c.requiresGender?.length && !c.requiresGender.includes(t.gender)) return false;
  if (c.excludes?.includes(t.id)) return false;
  if (c.credentials && !c.credentials.includes(t.credential)) return false;
  if ((c.knownOnly || t.onlyKnown) && !known) return false;
  if (c.needs?.some((need) => !t.tags?.includes(need))) return false;
  if (service === 'direct') return true;
  return t.credential === 'BCBA' && (service === 'supervision' || known);
}

export const isAble = (t: JsonTherapist, date: string, start: string, end: string, admin: boolean): boolean =>
  slots(slotOf(start), slotOf(end)).every(
    (slot) => slot < 48 && (holds(t.free?.[date], slot) || (admin && holds(t.admin?.[date], slot))),
  );

export interface JsonGiven {
  therapist: JsonTherapist;
  client: JsonClient;
  service: string;
  date: string;
  start: string;
  end: string;
}

const FACE: Record<string, number> = { new: 2000, known: 600, team: 0 };

/** The points of one session given, by itself. */
export function ownPoints({ therapist, service, date, start, end }: JsonGiven): number {
  const day = therapist.day?.[date];
  return slots(slotOf(start), slotOf(end)).reduce((points, slot) => {
    const admin = holds(therapist.free?.[date], slot) ? 0 : 20;
    const callin = day && slot >= slotOf(day[0]) && slot < slotOf(day[1]) ? 0 : 10;
    return points + 2 + admin + callin + (service === 'direct' && therapist.credential === 'BCBA' ? 60 : 0);
  }, 0);
}

export interface Shared {
  total: number;
  strange: number;
  further: number;
  broken: string[];
}

/** The table that the three problems share, and the rules of time and caps. */
export function judgeGiven(given: readonly JsonGiven[]): Shared {
  const broken: string[] = [];
  const busy = new Set<string>();
  const load = new Map<string, number>();
  const pairs = new Map<JsonClient, Set<JsonTherapist>>();
  let total = 0;
  for (const each of given) {
    const { therapist, client, date, start, end } = each;
    total += ownPoints(each);
    for (const slot of slots(slotOf(start), slotOf(end))) {
      const place = `${therapist.id}|${date}|${slot}`;
      if (busy.has(place)) broken.push(`two places: ${place}`);
      busy.add(place);
    }
    const week = mondayOf(date);
    const length = slotOf(end) - slotOf(start);
    for (const who of [therapist, client]) {
      const key = `${who.id}|${week}`;
      const before = load.get(key) ?? 0;
      load.set(key, before + length);
      if (before + length > (who.caps?.[week] ?? Infinity)) broken.push(`cap: ${key}`);
      if (who === therapist) total += 4 * (Math.max(0, before + length - 40) - Math.max(0, before - 40));
    }
    pairs.set(client, (pairs.get(client) ?? new Set()).add(therapist));
  }
  let [strange, further] = [0, 0];
  for (const [client, therapists] of pairs) {
    further += therapists.size - 1;
    for (const { id } of therapists) {
      const how = client.knows?.[id] ?? 'new';
      total += FACE[how]!;
      if (how !== 'team') strange++;
    }
  }
  return { total: total + 1500 * further, strange, further, broken };
}

const one = <T extends { id: string }>(all: T[] | undefined, id: string | undefined): T => {
  const found = all?.find((each) => each.id === id);
  if (!found) throw new Error(`unknown ${id}`);
  return found;
};

/** The points of one date on which nobody takes the session. */
export const openPoints = (p: JsonProblem, s: JsonSeries): number =>
  Math.round(
    ((s.service === 'direct' ? 1000 : 400) * (one(p.clients, s.client).priority ?? 100) * (s.weight ?? 100)) / 10_000,
  ) *
  (slotOf(s.end) - slotOf(s.start));

const LEADS: Record<string, { unit: 'open' | 'strange' | 'persons'; points: number; held: boolean }> = {
  'most-covered': { unit: 'open', points: 100, held: false },
  'fewest-faces': { unit: 'strange', points: 100_000, held: true },
  'one-person': { unit: 'persons', points: 100_000, held: true },
};

function judgeStanding(p: JsonProblem, option: JsonOption, first: Verdict | undefined): Verdict {
  const broken: string[] = [];
  const given: JsonGiven[] = [];
  let [open, handovers] = [0, 0];
  const rows = option.series ?? [];
  if (rows.map((r) => r.series).join() !== p.series?.map((s) => s.id).join()) broken.push('not every series once');
  for (const { series: id, runs } of rows) {
    const s = one(p.series, id);
    const client = one(p.clients, s.client);
    const dates = runs.map((run) => s.dates.filter((d) => run.from <= d && d <= run.to));
    if (dates.flat().join() !== s.dates.join() || runs.length > 2) broken.push(`runs of ${id}`);
    if (runs.length === 2 && runs[0]!.therapist === runs[1]!.therapist) broken.push(`alike in ${id}`);
    if (runs.length === 2 && runs.every((run) => run.therapist)) handovers++;
    runs.forEach((run, i) => {
      const own = dates[i]!;
      const taken = run.therapist ? own.filter((d) => !run.open?.includes(d)) : [];
      open += openPoints(p, s) * (own.length - taken.length);
      if (own.length === 0) broken.push(`empty run in ${id}`);
      if (run.open?.some((d) => !own.includes(d))) broken.push(`open outside a run of ${id}`);
      if (!run.therapist) return;
      const therapist = one(p.therapists, run.therapist);
      if (taken.length === 0 || taken.length * 2 < own.length) broken.push(`less than half in ${id}`);
      if (!mayServe(therapist, client, s.service)) broken.push(`may not serve ${id}`);
      if (p.declined?.some((d) => d.series === id && d.therapist === therapist.id)) broken.push(`declined ${id}`);
      for (const date of taken) {
        if (!isAble(therapist, date, s.start, s.end, true)) broken.push(`not able: ${id} ${date}`);
        given.push({ therapist, client, service: s.service, date, start: s.start, end: s.end });
      }
    });
    const pin = p.pins?.find((each) => each.series === id);
    const shape = (all: JsonRun[]) => all.map((r) => [r.therapist, s.dates.filter((d) => r.from <= d && d <= r.to)]);
    if (pin && JSON.stringify(shape(pin.runs)) !== JSON.stringify(shape(runs))) broken.push(`not as pinned: ${id}`);
  }
  const shared = judgeGiven(given);
  const units = { open, strange: shared.strange, persons: shared.further + handovers };
  const lead = LEADS[option.strategy ?? ''];
  if (lead?.held && first && open > first.units.open) broken.push('more open than in Option 1');
  const total = shared.total + open + 800 * handovers + (lead ? lead.points * units[lead.unit] : 0);
  return { broken: [...broken, ...shared.broken], total, units };
}

const NO_UNITS = { open: 0, strange: 0, persons: 0 };

function judgeTimes(p: JsonProblem, option: JsonOption, earlier: JsonOption[]): Verdict {
  const broken: string[] = [];
  const given: JsonGiven[] = [];
  const { sessions: count, slots: length, people, service } = p.wanted!;
  const client = one(p.clients, p.client);
  const rows = option.sessions ?? [];
  let missed = 0;
  if (rows.length !== count || new Set(rows.map((r) => r.weekday)).size !== count) broken.push('number of sessions');
  if (new Set(rows.map((r) => r.therapist)).size > people) broken.push('too many people');
  for (const { weekday, start, therapist: id } of rows) {
    const from = slotOf(start);
    const therapist = one(p.therapists, id);
    const minutes = (from + length) * 15 + 420;
    const end = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    if (from % 2) broken.push('not on the half hour');
    if (!p.windows?.[weekday]?.some(([a, b]) => slotOf(a) <= from && from + length <= slotOf(b)))
      broken.push('outside the windows');
    if (!mayServe(therapist, client, service)) broken.push('may not serve');
    const dates = p.dates.filter((date) => weekdayOf(date) === weekday);
    const held = dates.filter(
      (date) =>
        isAble(therapist, date, start, end, false) &&
        !slots(from, from + length).some((slot) => holds(p.busy?.[date], slot)),
    );
    if (held.length === 0 || held.length * 2 < dates.length) broken.push('held on less than half');
    missed += dates.length - held.length;
    given.push(...held.map((date) => ({ therapist, client, service, date, start, end })));
  }
  const keys = (o: JsonOption) => new Set((o.sessions ?? []).map((s) => `${s.weekday} ${s.start}`));
  const own = keys(option);
  for (const e of earlier)
    if ([...own].filter((key) => !keys(e).has(key)).length < Math.ceil(rows.length / 3))
      broken.push('too like another');
  const shared = judgeGiven(given);
  const starts = 300 * (new Set(rows.map((r) => r.start)).size - 1);
  const total = shared.total + 200 * length * missed + starts;
  return { broken: [...broken, ...shared.broken], total, units: NO_UNITS };
}

function judgeMakeup(p: JsonProblem, option: JsonOption): Verdict {
  const broken: string[] = [];
  const pieces = option.pieces ?? [];
  let terms = 300 * pieces.length;
  const given = pieces.map((piece): JsonGiven => {
    const [therapist, client] = [one(p.therapists, piece.therapist), one(p.clients, piece.client)];
    const [from, to] = [slotOf(piece.start), slotOf(piece.end)];
    const owed = p.owed?.find((o) => o.client === piece.client)?.slots;
    if (from % 2 || to % 2 || to - from > 12 || (to - from < 4 && owed !== to - from)) broken.push('length of a piece');
    if (!client.windows?.[piece.date]?.some(([a, b]) => slotOf(a) <= from && to <= slotOf(b))) broken.push('window');
    if (!mayServe(therapist, client, 'direct') || !isAble(therapist, piece.date, piece.start, piece.end, false))
      broken.push('cannot take a piece');
    terms += 3 * (to - from) * p.dates.indexOf(piece.date);
    return { therapist, client, service: 'direct', date: piece.date, start: piece.start, end: piece.end };
  });
  if (new Set(pieces.map((x) => `${x.client}|${x.date}`)).size < pieces.length) broken.push('two pieces on a date');
  for (const { client, slots: owed, weight } of p.owed ?? []) {
    const own = pieces.filter((x) => x.client === client);
    const left = own.reduce((sum, x) => sum - slotOf(x.end) + slotOf(x.start), owed);
    if (left < 0) broken.push('more than is owed');
    terms += Math.round((1000 * (weight ?? 100)) / 100) * Math.max(0, left);
  }
  const shared = judgeGiven(given);
  return { broken: [...broken, ...shared.broken], total: shared.total + terms, units: NO_UNITS };
}

/** Every option's true score, and all that is wrong with it or with what it states. */
export function judge(problem: JsonProblem, options: JsonOption[]): Verdict[] {
  const verdicts: Verdict[] = [];
  options.forEach((option, i) => {
    const verdict = problem.series
      ? judgeStanding(problem, option, verdicts[0])
      : problem.wanted
        ? judgeTimes(problem, option, options.slice(0, i))
        : judgeMakeup(problem, option);
    const { broken, total } = verdict;
    if (option.score?.total !== total) broken.push(`states ${option.score?.total}, is ${total}`);
    if (option.bound === undefined || option.bound > total) broken.push(`bound ${option.bound} above ${total}`);
    if (option.proven !== (option.bound === total)) broken.push('proven and bound disagree');
    if (problem.series && i === 0 && option.strategy !== 'balanced') broken.push('Option 1 is not balanced');
    if (problem.wanted && i > 0 && total < verdicts[i - 1]!.total) broken.push('not cheapest first');
    verdicts.push(verdict);
  });
  return verdicts;
}
