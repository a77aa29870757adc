import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, dateText, locationSchema, personNameSchema, textSchema, timeSchema, timeText } from '../wire.ts';
import { coverFiguresShape } from './figures.ts';

/** What one option offers one client in one time slot (`h:mm AM - h:mm PM`). */
export const offeredCellSchema = z.looseObject({
  therapist: z.string(),
  /**
   * Scheduled: the booked therapist keeps the session. Cover: another therapist takes the session. Swap: another
   * therapist takes the session although no absence affects it. Cancel: the client is away. Unassigned: no therapist.
   */
  status: z.string(),
  branch_state: z.string(),
  /** Only for Cover and Swap: how well the client knows this therapist. */
  familiarity: z.optional(z.enum(['team', 'known', 'new'])),
  /** What must be said of the cell beside its status, such as `has not met Bo Lee` or `starts 15 min late`. */
  note: z.optional(z.string()),
  minutes: z.optional(z.number()),
  /** The therapist who was booked; null when there was none. */
  from: z.optional(z.nullable(z.string())),
  /** Set when this option changes a session that an earlier commit gave to `from`, or to no one. */
  again: z.optional(z.boolean()),
  subject: z.optional(z.string()),
  /** The session's id, the same in every option and for all of its pieces. */
  session: z.optional(z.string()),
});
export type OfferedCell = z.infer<typeof offeredCellSchema>;

/** Keyed by date, client, `Option N` and time slot (DATA-05). */
export const offeredOptionsSchema = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), z.record(z.string(), offeredCellSchema))),
);
export type OfferedOptions = z.infer<typeof offeredOptionsSchema>;

const clientFiguresShape = { ...coverFiguresShape, new_faces: z.number() };
/** One client's part of an option's figures; a mix has the sum of its clients' figures. */
const clientFiguresSchema = z.looseObject(clientFiguresShape);
export type ClientFigures = z.infer<typeof clientFiguresSchema>;

/**
 * The figures at the top of an option's column. For each of them but the first, there is a strategy that puts it first;
 * for the first, there was one once.
 */
export const LEAD_FIGURES = ['minutes_kept', 'calls', 'new_faces', 'cuts', 'bcba_minutes'] as const;
export type LeadFigure = (typeof LEAD_FIGURES)[number];

/** The figures for comparing options: hours and counts, never points. */
export const optionFiguresSchema = z.looseObject({
  label: z.string(),
  strategy: z.string(),
  ...clientFiguresShape,
  /** How many people must be told only because of this plan, without those told in any case; `toTell` counts all. */
  calls: z.number(),
  /** How many of the people in `calls` are not in the building yet; left out when all are. */
  not_in_yet: z.optional(z.number()),
  /** How many times the therapist changes within a session, including changes from or to no therapist. */
  cuts: z.number(),
  /** Minutes of direct care that BCBAs give instead of other therapists. */
  bcba_minutes: z.number(),
  /** The figure that this option puts first; null for an option that weighs all figures. */
  leads_in: z.nullable(z.enum(LEAD_FIGURES)),
  proven: z.boolean(),
  /** What the option gains and costs compared with Option 1, in words. */
  compared: z.optional(z.string()),
  /**
   * The name of an earlier option that differs on less than 10 % of the affected time, if this one gains at most one
   * unit of what it puts first; left out if there is none.
   */
  nearly_the_same_as: z.optional(z.string()),
  /** What the two differ in, in words. */
  nearly_the_same_in: z.optional(z.string()),
});
export type OptionFigures = z.infer<typeof optionFiguresSchema>;

/** Minutes after midnight; `end` itself is not included. */
const spanSchema = z.object({ start: z.number(), end: z.number() });

/**
 * A therapist's time that an option uses for a client, in minutes after midnight. Clashes between choices are found
 * from these claims (domain, mix.ts).
 */
const claimSchema = z.object({
  therapist: z.string(),
  from: z.number(),
  to: z.number(),
  changed: z.boolean(),
  /** Set when the session was booked with another therapist, or with none. */
  other: z.optional(z.boolean()),
  /** The exact minutes; left out when `from` and `to` are exact. */
  exact: z.optional(spanSchema),
  /**
   * Set when the client would know the therapist only because of choices on earlier dates. At least one choice from
   * each inner list must be selected.
   */
  knownBy: z.optional(z.array(z.array(z.object({ date: dateText, client: z.string(), option: z.string() })))),
});

/** How many minutes the therapist is booked before any choice, and the limits (domain, mix-faults.ts). */
const mixHoursSchema = z.object({
  week: z.number(),
  week_limit: z.number(),
  day: z.number(),
  /** Null for no limit. */
  day_limit: z.nullable(z.number()),
  /** The time that the therapist's own absent clients leave free. */
  freed: z.number(),
  /** The therapist's booked work with clients for whom there is a choice, by client; left out by older servers. */
  booked: z.optional(z.record(z.string(), z.array(spanSchema))),
  before: z.number(),
  rest: z.array(spanSchema),
});

export const proposalMetadataSchema = z.looseObject({
  location: z.string(),
  day: z.string(),
  proposal: z.string(),
  revision: z.number(),
  queries: z.array(z.unknown()),
  /** The affected clients' sessions in the week of `day`, by client. */
  weekly_schedule: z.record(
    z.string(),
    z.array(
      z.looseObject({
        date: dateText,
        time: z.string(),
        therapist: z.string(),
        subject: z.string(),
        status: z.string(),
      }),
    ),
  ),
  /** The figures of each option, by date and option. */
  options: z.record(z.string(), z.record(z.string(), optionFiguresSchema)),
  /** Each client's part of the figures, by date, client and option. */
  client_figures: z.record(z.string(), z.record(z.string(), z.record(z.string(), clientFiguresSchema))),
  /** The claims of each client's choices, by date, client and option. */
  claims: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.array(claimSchema)))),
  /** The hours of the therapists who take sessions in some option, by date and therapist; left out by older servers. */
  hours: z.optional(z.record(z.string(), z.record(z.string(), mixHoursSchema))),
  /** How many clients the options of each date concern; each child of a group counts. Left out by older servers. */
  clients: z.optional(z.record(z.string(), z.number())),
  /**
   * For each date that people were already called about: how many people were told, and whether the options agree with
   * what they were told.
   */
  told: z.optional(z.record(z.string(), z.object({ people: z.number(), kept: z.boolean() }))),
  /** Set when a therapist was chosen on the calendar and pinned: the session's date and client. */
  chosen: z.optional(z.object({ date: dateText, client: z.string() })),
  /** Set when these are only the first options: `propose` with `wait_for: 'rest'` returns all of them. */
  more: z.optional(z.boolean()),
  /** The dates that may have further options, which were not found in time; left out if there are none. */
  unfinished: z.optional(z.array(dateText)),
  /** The version of the day that the options were made from, by date. */
  versions: z.record(z.string(), z.number()),
});
export type ProposalMetadata = z.infer<typeof proposalMetadataSchema>;

/** The therapists who still have free time in Option 1, with their free windows (`HH:MM`), by date. */
export const backedUpSchema = z.record(
  z.string(),
  z.array(z.object({ therapist: z.string(), begin: timeText, end: timeText })),
);
export type BackedUpTherapists = z.infer<typeof backedUpSchema>;

export const proposalReplySchema = z.object({
  data: offeredOptionsSchema,
  metadata: proposalMetadataSchema,
  backed_up_therapists: backedUpSchema,
});
export type ProposalReply = z.infer<typeof proposalReplySchema>;

/**
 * The metadata that a page sends back. It is checked against the stored proposal, so only the fields needed for that
 * check are required.
 */
const echoedMetadataSchema = z.looseObject({
  proposal: textSchema(64),
  revision: z.number(),
  location: z.optional(z.string()),
  day: z.optional(z.string()),
});
/** Options that a page sends back. Any content is accepted here, because it is compared with the stored options. */
const echoedSchema = z.record(z.string(), z.unknown());

const cellShape = {
  date: dateSchema,
  client: textSchema(200),
  option: textSchema(40),
  time_slot: textSchema(120),
};

/** The options that a refresh keeps: one for each pinned client and date. */
const refreshSelectionsSchema = z
  .array(z.object({ date: dateSchema, client: textSchema(200), option: textSchema(40) }))
  .check(z.maxLength(2000));

export const refreshBodySchema = z.object({
  output: z.object({ possible_solutions: echoedSchema }),
  metadata: echoedMetadataSchema,
  refreshSelections: refreshSelectionsSchema,
  message: z.optional(z.nullable(textSchema(4000))),
  /**
   * Pins the chosen therapist in one cell, even if no option has that therapist there. `ask`: the therapist would be
   * asked to stay late or come early for the session.
   */
  choose: z.optional(z.object({ ...cellShape, therapist: personNameSchema, ask: z.optional(z.boolean()) })),
});
export type RefreshBody = z.infer<typeof refreshBodySchema>;

export const refreshReplySchema = z.object({
  output: z.object({ possible_solutions: offeredOptionsSchema }),
  metadata: proposalMetadataSchema,
  backed_up_therapists: backedUpSchema,
  message: z.string(),
});
export type RefreshReply = z.infer<typeof refreshReplySchema>;

/** The reasons for a cell, in plain sentences that speak of hours, changes and colleagues. */
export const explanationSchema = z.object({
  title: z.string(),
  /** Why the session counts more or less than others: `No authorization pays for this session on Fri, Nov 20.` */
  about: z.array(z.string()),
  /** Reasons for choosing this therapist; `costs` holds the reasons against. */
  speaks_for: z.array(z.string()),
  costs: z.array(z.string()),
  /** The therapist's hours when the options were made, in one sentence. */
  hours: z.nullable(z.string()),
  next_best: z.nullable(z.object({ therapist: z.string(), difference: z.string() })),
  /**
   * For a cell without a therapist: how many therapists each reason excludes. A therapist counts for one reason only.
   */
  excluded: z.array(z.object({ reason: z.string(), count: z.number(), therapists: z.array(z.string()) })),
  therapists: z.number(),
  /**
   * The cheapest plan that covers the cell, as a list of changes; null when the cell needs no cover. `certain`: proven
   * that no cheaper plan exists, or that no plan exists at all; false when the search ran out of time.
   */
  what_it_would_take: z.nullable(
    z.object({ possible: z.boolean(), certain: z.boolean(), words: z.string(), changes: z.array(z.string()) }),
  ),
});
export type Explanation = z.infer<typeof explanationSchema>;

/** Identifies a cell of a stored proposal. */
const proposalCellSchema = z.object({ proposal: textSchema(64), revision: z.number(), ...cellShape });

/**
 * Everyone who works or is available that day, except the cell's current therapist. Therapists who can take the session
 * come first, cheapest first.
 */
export const choicesReplySchema = z.object({
  choices: z.array(
    z.object({
      id: z.string(),
      therapist: z.string(),
      /** Whether the rules allow the therapist, even if other sessions would then lose their therapist. */
      possible: z.boolean(),
      /**
       * What choosing the therapist means: `free, on the team`; `would leave Luca without a therapist 9:00 AM to
       * 10:00 AM`; `not: needs Spanish`.
       */
      words: z.string(),
      /**
       * What the therapist would have to be asked, such as `Ask to stay late until 5:30`; null when there is nothing
       * to ask.
       */
      ask: z.nullable(z.string()),
    }),
  ),
});
export type ChoicesReply = z.infer<typeof choicesReplySchema>;

/**
 * A session on the calendar (`key`), a session about to be booked (`session`), or a change to a session on the calendar
 * (both).
 */
export const sessionChoicesBodySchema = z.object({
  location: locationSchema,
  date: dateSchema,
  key: z.optional(z.uuid()),
  session: z.optional(
    z.object({ client: personNameSchema, start: timeSchema, end: timeSchema, subject: textSchema(200) }),
  ),
});
export type SessionChoicesBody = z.infer<typeof sessionChoicesBodySchema>;

export const proposalsEndpoints = {
  toTell: endpoint('POST', '/proposals/to-tell', {
    access: 'signed-in',
    at: 'found',
    audit: 'none',
    writes: false,
    summary: 'How many lines `POST /proposals/calls` has for each option',
    body: z.object({ proposal: textSchema(64), revision: z.number(), date: dateSchema }),
    reply: z.object({ options: z.record(z.string(), z.number()) }),
    refusals: ['not-found'],
  }),
  /** Makes options for these dates from all stored absences and sessions without a therapist. */
  propose: endpoint('POST', '/proposals', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'change',
    writes: false,
    summary: 'Propose cover for all stored absences and sessions without a therapist',
    body: z.object({
      location: locationSchema,
      dates: z.array(dateSchema).check(z.minLength(1), z.maxLength(14)),
      /**
       * `told` (the default): pins what people were told in calls, as far as the rules allow. `nothing`: pins nothing.
       */
      keep: z.optional(z.enum(['told', 'nothing'])),
      /**
       * `rest`: the page already shows Option 1, so other people's requests go first for some seconds. `longer`: the
       * page shows options whose metadata name `unfinished` dates; looks longer for more of them.
       */
      wait_for: z.optional(z.enum(['rest', 'longer'])),
      /** Only with one date: pins a therapist (by id) to one of the date's sessions (by the appointment's key). */
      choose: z.optional(z.object({ key: z.uuid(), therapist: textSchema(64), ask: z.optional(z.boolean()) })),
    }),
    reply: proposalReplySchema,
    refusals: ['not-found', 'pins-conflict', 'solver-failed'],
  }),
  refresh: endpoint('POST', '/refresher', {
    access: 'signed-in',
    at: 'found',
    audit: 'change',
    writes: false,
    summary: 'Solve again with chosen options pinned',
    body: refreshBodySchema,
    reply: refreshReplySchema,
    shape: { output: { possible_solutions: {} } },
    refusals: ['not-found', 'already-committed', 'pins-conflict', 'solver-failed'],
  }),
  explain: endpoint('POST', '/proposals/explain', {
    access: 'signed-in',
    at: 'found',
    audit: 'proposal.explained',
    writes: false,
    summary: 'Why a cell has its therapist, or none',
    body: proposalCellSchema,
    reply: explanationSchema,
    refusals: ['not-found', 'solver-failed'],
  }),
  choices: endpoint('POST', '/proposals/choices', {
    access: 'signed-in',
    at: 'found',
    audit: 'proposal.explained',
    writes: false,
    summary: 'Who else could take a cell, and what the plan would cost with each',
    body: proposalCellSchema,
    reply: choicesReplySchema,
    refusals: ['not-found'],
  }),
  sessionChoices: endpoint('POST', '/sessions/choices', {
    access: 'signed-in',
    at: 'body.location',
    audit: 'choices.read',
    writes: false,
    summary: 'Who else could take a session of the calendar, and what the day would cost with each',
    body: sessionChoicesBodySchema,
    reply: choicesReplySchema,
    refusals: ['not-found'],
  }),
};
