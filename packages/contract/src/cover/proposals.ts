// Over 250 lines: one feature’s calls, with every shape they carry.
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { dateSchema, dateText, locationSchema, personNameSchema, textSchema, timeSchema, timeText } from '../wire.ts';
import { coverFiguresShape } from './figures.ts';

/** What one option offers one client in one time slot (`h:mm AM - h:mm PM`). */
export const solutionCellSchema = z.looseObject({
  therapist: z.string(),
  /**
   * Scheduled: as booked. Cover: another therapist takes it. Swap: an unaffected session moves. Cancel: the client is
   * away. Unassigned: no therapist.
   */
  status: z.string(),
  branch_state: z.string(),
  /** How well the client knows this therapist; for Cover and Swap. */
  familiarity: z.optional(z.enum(['team', 'known', 'new'])),
  minutes: z.optional(z.number()),
  /** The booked therapist; null when there was none. */
  from: z.optional(z.nullable(z.string())),
  /** An earlier submit gave the session to `from`, or to no one, and this option changes that. */
  again: z.optional(z.boolean()),
  subject: z.optional(z.string()),
  /** The booked session: its pieces share it, in every option. */
  session: z.optional(z.string()),
});
export type SolutionCell = z.infer<typeof solutionCellSchema>;

/** Date, then client, then `Option N`, then time slot (DATA-05). */
export const solutionsSchema = z.record(
  z.string(),
  z.record(z.string(), z.record(z.string(), z.record(z.string(), solutionCellSchema))),
);
export type Solutions = z.infer<typeof solutionsSchema>;

const clientFiguresShape = { ...coverFiguresShape, new_faces: z.number() };
/** One client's part of an option's figures; a mix has the sum of its clients' figures. */
const clientFiguresSchema = z.looseObject(clientFiguresShape);
export type ClientFigures = z.infer<typeof clientFiguresSchema>;

/** The figures in an option's head, each of which a strategy puts first. */
export const LEAD_FIGURES = ['minutes_kept', 'calls', 'new_faces', 'cuts', 'bcba_minutes'] as const;
export type LeadFigure = (typeof LEAD_FIGURES)[number];

/** The figures people use to compare options: minutes and counts, never points. */
export const optionFiguresSchema = z.looseObject({
  label: z.string(),
  strategy: z.string(),
  ...clientFiguresShape,
  /**
   * People to tell only because of this plan, without those who are told anyway, such as the families of affected
   * sessions.
   */
  calls: z.number(),
  /** Points inside sessions where the therapist changes, including to or from none. */
  cuts: z.number(),
  /** Direct care that BCBAs give in place of others. */
  bcba_minutes: z.number(),
  /** The figure that the option is named for; null where it weighs all of them. */
  leads_in: z.nullable(z.enum(LEAD_FIGURES)),
  proven: z.boolean(),
  /** Compared with Option 1, in words: what it gains and what it costs. */
  compared: z.optional(z.string()),
  /** The earlier option, by name, from which it differs on under 5 % of the affected time; left out where none is. */
  nearly_the_same_as: z.optional(z.string()),
});
export type OptionFigures = z.infer<typeof optionFiguresSchema>;

/**
 * The time an option takes of a therapist for a client, in minutes; used to find clashes in mixed choices (domain,
 * mix.ts).
 */
const claimSchema = z.object({ therapist: z.string(), from: z.number(), to: z.number(), changed: z.boolean() });

export const proposalMetadataSchema = z.looseObject({
  location: z.string(),
  day: z.string(),
  proposal: z.string(),
  revision: z.number(),
  queries: z.array(z.unknown()),
  /** By client: that week's sessions. */
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
  /** By date, then option. */
  options: z.record(z.string(), z.record(z.string(), optionFiguresSchema)),
  /** By date, client, option. */
  client_figures: z.record(z.string(), z.record(z.string(), z.record(z.string(), clientFiguresSchema))),
  /** By date, client, option. */
  claims: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.array(claimSchema)))),
  /** By date, once people were told of it in calls: how many, and whether the options keep what they were told. */
  told: z.optional(z.record(z.string(), z.object({ people: z.number(), kept: z.boolean() }))),
  /** The client whose session someone was chosen for on the calendar, and who is pinned to it. */
  chosen: z.optional(z.object({ date: dateText, client: z.string() })),
  /** By date: the version of the day from which the options were made. */
  versions: z.record(z.string(), z.number()),
});
export type ProposalMetadata = z.infer<typeof proposalMetadataSchema>;

/** By date: the therapists still free in Option 1, and when, `HH:MM`. */
export const backedUpSchema = z.record(
  z.string(),
  z.array(z.object({ therapist: z.string(), begin: timeText, end: timeText })),
);
export type BackedUpTherapists = z.infer<typeof backedUpSchema>;

export const proposalReplySchema = z.object({
  data: solutionsSchema,
  metadata: proposalMetadataSchema,
  backed_up_therapists: backedUpSchema,
});
export type ProposalReply = z.infer<typeof proposalReplySchema>;

/**
 * The server checks what a page sends back against the stored proposal, so only the fields needed for that are
 * required.
 */
const echoedMetadataSchema = z.looseObject({
  proposal: textSchema(64),
  revision: z.number(),
  location: z.optional(z.string()),
  day: z.optional(z.string()),
});
/** Limited by the request's size; compared with what is stored. */
const echoedSchema = z.record(z.string(), z.unknown());

const cellShape = {
  date: dateSchema,
  client: textSchema(200),
  option: textSchema(40),
  time_slot: textSchema(120),
};

export const refreshBodySchema = z.object({
  output: z.object({ possible_solutions: echoedSchema }),
  metadata: echoedMetadataSchema,
  refreshSelections: z
    .array(z.object({ date: dateSchema, client: textSchema(200), option: textSchema(40) }))
    .check(z.maxLength(2000)),
  message: z.optional(z.nullable(textSchema(4000))),
  /**
   * A therapist chosen for one cell: pinned there, whatever the options said. `ask`: they would be asked to stay late or
   * to come early for it.
   */
  choose: z.optional(z.object({ ...cellShape, therapist: personNameSchema, ask: z.optional(z.boolean()) })),
});
export type RefreshBody = z.infer<typeof refreshBodySchema>;
export const refreshReplySchema = z.object({
  output: z.object({ possible_solutions: solutionsSchema }),
  metadata: proposalMetadataSchema,
  backed_up_therapists: backedUpSchema,
  message: z.string(),
});
export type RefreshReply = z.infer<typeof refreshReplySchema>;

/** The reasons for a cell: sentences for people, about minutes, changes, new faces and colleagues by name. */
export const explanationSchema = z.object({
  title: z.string(),
  /** Why the session weighs more or less than others: `No authorization pays for this session on Fri, Nov 20.` */
  about: z.array(z.string()),
  /** Reasons for this therapist, and against. */
  speaks_for: z.array(z.string()),
  costs: z.array(z.string()),
  /** The therapist's hours in one sentence, as they were when the options were made. */
  hours: z.nullable(z.string()),
  next_best: z.nullable(z.object({ therapist: z.string(), difference: z.string() })),
  /** For an unassigned cell: every therapist is in exactly one class; the counts add up to all of them. */
  excluded: z.array(z.object({ reason: z.string(), count: z.number(), therapists: z.array(z.string()) })),
  therapists: z.number(),
  /**
   * The cheapest plan that covers it, as a list of changes; null when no cover is needed. `certain`: the search proved
   * that no plan is cheaper, or that there is none; otherwise it ran out of time.
   */
  what_it_would_take: z.nullable(
    z.object({ possible: z.boolean(), certain: z.boolean(), words: z.string(), changes: z.array(z.string()) }),
  ),
});
export type Explanation = z.infer<typeof explanationSchema>;

/** A cell of a stored proposal. */
const proposalCellSchema = z.object({ proposal: textSchema(64), revision: z.number(), ...cellShape });

/** Everyone who works or is available that day, except the cell's own therapist: those who can take it first, by cost. */
export const choicesReplySchema = z.object({
  choices: z.array(
    z.object({
      id: z.string(),
      therapist: z.string(),
      /** Whether the rules allow it, perhaps with others left without a therapist. */
      possible: z.boolean(),
      /** `free, on the team`; `would leave Luca without a therapist 9:00 AM to 10:00 AM`; `not: needs Spanish`. */
      words: z.string(),
      /** `Ask to stay late until 5:30`: possible only then. Null: there is nothing to ask. */
      ask: z.nullable(z.string()),
    }),
  ),
});
export type ChoicesReply = z.infer<typeof choicesReplySchema>;

/** A session of the calendar (`key`), or one as it is about to be booked (`session`; with `key`, in its place). */
export const sessionChoicesBodySchema = z.object({
  location: locationSchema,
  date: dateSchema,
  key: z.optional(z.uuid()),
  session: z.optional(
    z.object({ client: personNameSchema, start: timeSchema, end: timeSchema, subject: textSchema(200) }),
  ),
});
export type SessionChoicesBody = z.infer<typeof sessionChoicesBodySchema>;

export const solutionsEndpoints = {
  /** Solves all stored absences and open sessions of these dates again: the way back to the options. */
  propose: endpoint({
    method: 'POST',
    path: '/proposals',
    access: 'signed-in',
    summary: 'Propose cover for what is stored',
    body: z.object({
      location: locationSchema,
      dates: z.array(dateSchema).check(z.minLength(1), z.maxLength(14)),
      /** `told` (as when left out): what people were told in calls is pinned as far as rules allow. */
      keep: z.optional(z.enum(['told', 'nothing'])),
      /** With one date: someone else chosen for a session of it, by the ids of appointment and therapist: pinned. */
      choose: z.optional(z.object({ key: z.uuid(), therapist: textSchema(64), ask: z.optional(z.boolean()) })),
    }),
    reply: proposalReplySchema,
    refusals: ['not-found', 'pins-conflict', 'solver-failed'],
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/refresher',
    access: 'signed-in',
    summary: 'Solve again with chosen options pinned',
    body: refreshBodySchema,
    reply: refreshReplySchema,
    refusals: ['not-found', 'already-committed', 'pins-conflict', 'solver-failed'],
  }),
  explain: endpoint({
    method: 'POST',
    path: '/proposals/explain',
    access: 'signed-in',
    summary: 'Why a cell is as it is',
    body: proposalCellSchema,
    reply: explanationSchema,
    refusals: ['not-found', 'solver-failed'],
  }),
  choices: endpoint({
    method: 'POST',
    path: '/proposals/choices',
    access: 'signed-in',
    summary: 'Who else could take a cell, and what the plan would cost with each',
    body: proposalCellSchema,
    reply: choicesReplySchema,
    refusals: ['not-found'],
  }),
  sessionChoices: endpoint({
    method: 'POST',
    path: '/sessions/choices',
    access: 'signed-in',
    summary: 'Who else could take a session of the calendar, and what the day would cost with each',
    body: sessionChoicesBodySchema,
    reply: choicesReplySchema,
    refusals: ['not-found'],
  }),
};
