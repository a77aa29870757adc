// This file is over 250 lines because the acts of a desk are all made from the same random numbers.
import { sql } from 'kysely';
import { addDays, formatTime, isoDate, mondayOf, type IsoDate, type Location } from '@clinic/domain';
import type { ActionsReply, ProposalReply } from '@clinic/contract';
import type { LightMyRequestResponse } from 'fastify';
import { everyone, randomFrom, type Random } from '@clinic/testkit';
import { bumpDays } from '../day/facts/versions.ts';
import type { Db } from '../db/connection.ts';
import { formOf } from '../import/testing/form.ts';
import { appointment, smallFiles } from '../import/testing/small.ts';
import { buildAuthorization, buildClient, buildTherapist } from './builders.ts';
import { saveAbsences, submit, submitBody, undo } from './calls.ts';
import { buildNo, NOES } from './declines.ts';
import type { SignedIn } from './test-app.ts';

/** The first Monday of the desk's four weeks. */
export const DESK_MONDAY = isoDate('2026-11-02');
const DAYS = 28;
export const DESK_PLACES = ['altamonte', 'tampa'] as const;
const CAUSES = ['sick', 'weather', 'no-show', null] as const;
const SUBJECTS = [
  ...['Direct Therapy', 'Direct Therapy', 'Direct Therapy', 'Make-up session', 'Social group', 'Social group'],
  ...['Supervision', 'Assessment', 'Parent Training', '97155 Protocol', '97153 Home'],
];

/** An act returns null if there was nothing to do, and 'done' if it was done without the API. */
type DeskAct = [name: string, act: () => Promise<LightMyRequestResponse | 'done' | null>];
const times = (n: number, act: DeskAct): DeskAct[] => Array.from({ length: n }, () => act);

interface Person {
  readonly id: string;
  readonly name: string;
  readonly location: Location;
  readonly bcba?: boolean;
}

/**
 * A front desk that does random things, through the API, at two locations over four weeks: it books, moves and cancels
 * sessions, also across the end of a week and the location; it records, changes and withdraws absences; it submits
 * options and undoes commits; it imports, says causes, and ends authorizations. Therapists refuse sessions. One client
 * has two therapists, some sessions are groups, and two therapists work at both locations.
 */
export class RandomDesk {
  readonly therapists: Person[] = [];
  readonly clients: Person[] = [];
  private readonly db: Db;
  private readonly who: SignedIn;
  private readonly random: Random;
  private readonly commits: string[] = [];

  constructor(db: Db, who: SignedIn, seed: number) {
    [this.db, this.who, this.random] = [db, who, randomFrom(seed)];
  }

  async open(): Promise<void> {
    const windows = [0, 1, 2, 3, 4, 5, 6].map((day): [number, string, string] => [day, '07:30', '18:30']);
    const roles = ['RBT', 'RBT', 'BCBA', 'RBT', 'BT', 'BCBA'] as const;
    for (const [i, specialization] of roles.entries()) {
      const [first, last, location] = [`T${i}`, 'Desk', i < 3 ? 'altamonte' : 'tampa'] as const;
      const hours = this.random.chance(0.3) ? { hours: { week: 12, day: 6 } } : {};
      const id = await buildTherapist(this.db, { first, last, location, specialization, windows, ...hours });
      this.therapists.push({ id, name: `${first} ${last}`, location, bcba: specialization === 'BCBA' });
    }
    for (let i = 0; i < 5; i++) {
      const [first, last, location] = [`C${i}`, 'Desk', i < 3 ? 'altamonte' : 'tampa'] as const;
      const id = await buildClient(this.db, { first, last, location, twoToOne: i < 2 });
      this.clients.push({ id, name: `${first} ${last}`, location });
      for (const code of ['97153', '97153', '97154', '97155'] as const) {
        const from = addDays(DESK_MONDAY, this.random.int(-20, 15));
        const [until, units] = [addDays(from, this.random.int(0, 40)), this.random.int(1, 60)];
        const period = this.random.pick(['total', 'week', 'month'] as const);
        const payer = this.random.pick(['Acme', 'Sunrise']);
        const prior = { units: 1 + (units % 17), until: addDays(from, units % 13) };
        const plan = { code, from, until, units, period, payer };
        if (i < 4) await buildAuthorization(this.db, id, units % 3 === 0 ? { ...plan, prior } : plan);
      }
    }
    const concurrent = JSON.stringify(this.random.sample(['97153+97153', '97153+97155', '97154+97155'], 2));
    await sql`insert into payer (name_key, name, concurrent)
      values ('acme', 'Acme', array(select jsonb_array_elements_text(${concurrent}::jsonb)))`.execute(this.db);
  }

  isBcba = (id: string | null): boolean => this.therapists.some((each) => each.id === id && each.bcba);

  /** Does one random act, and returns its name, or null if it was refused. Any other reply is a fault. */
  async act(): Promise<string | null> {
    const [name, act] = this.random.pick(this.acts);
    const reply = await act();
    if (reply === null) return null;
    if (reply === 'done') return name;
    if (reply.statusCode >= 500 || ![200, 201, 204, 409, 410, 422].includes(reply.statusCode))
      throw new Error(`${name}: ${reply.statusCode} ${reply.body}`);
    return reply.statusCode < 300 ? name : null;
  }

  /** The acts, some more often than others. */
  private readonly acts: DeskAct[] = [
    ...times(6, ['book', () => this.book()]),
    ['book', () => this.book({ weekly: true })],
    ['group', () => this.group()],
    ...times(3, ['two', () => this.two()]),
    ...times(4, ['move', () => this.move()]),
    ['cancel', () => this.cancel()],
    ...times(2, ['away', () => this.away()]),
    ['withdraw', () => this.withdraw()],
    ...times(6, ['submit', () => this.plan()]),
    ...times(2, ['undo', () => this.undo()]),
    ['cause of a session', () => this.say('appointment')],
    ['cause of an absence', () => this.say('absence')],
    ['edit a cause', () => this.editCause()],
    ['no', () => this.no()],
    ['import', () => this.import()],
    ['end an authorization', () => this.endAuthorization()],
  ];

  private date = (): IsoDate => addDays(DESK_MONDAY, this.random.int(0, DAYS - 1));
  private place = (): Location => this.random.pick(DESK_PLACES);
  private call = (method: 'POST' | 'PUT' | 'DELETE', url: string, payload: object = {}) =>
    this.who.call({ method, url, payload });

  private times(): { start: string; end: string } {
    const start = this.random.int(450, 1000);
    const from = this.random.chance(0.6) ? Math.round(start / 30) * 30 : start;
    return {
      start: formatTime(from),
      end: formatTime(Math.min(1140, from + this.random.pick([30, 60, 90, 120, 52, 8]))),
    };
  }

  private body(more: object = {}): object {
    const { random } = this;
    const therapist = random.chance(0.1) ? null : random.pick(this.therapists).name;
    const of = { location: this.place(), client: random.pick(this.clients).name, therapist, date: this.date() };
    return { ...of, ...this.times(), subject: random.pick(SUBJECTS), anyway: true, ...more };
  }

  private loss(): object {
    const { random } = this;
    const known = random.chance(0.5) ? { known: `${addDays(DESK_MONDAY, random.int(0, 20))}T09:30` } : {};
    const side = random.chance(0.3) ? { lost_by: random.pick(['clinic', 'payer', 'family'] as const) } : {};
    return { loss: { cause: random.pick(CAUSES), ...side, ...known } };
  }

  private book({ weekly = false } = {}): Promise<LightMyRequestResponse> {
    const { random } = this;
    const [date, client] = [this.date(), random.chance(0.1) ? 'Administrative' : random.pick(this.clients).name];
    const until = weekly ? { weekly_until: addDays(date, 14) } : {};
    const status = random.chance(0.1) ? { status: random.pick(['Completed', 'No Show', 'Cancelled']) } : {};
    return this.call('POST', '/api/appointments', this.body({ date, client, ...until, ...status }));
  }

  /** Books two clients with one therapist at the same time. */
  private async group(): Promise<LightMyRequestResponse> {
    const same = { ...this.times(), location: this.place(), date: this.date(), subject: 'Social group' };
    const therapist = this.random.pick(this.therapists).name;
    const [one, other] = this.random.sample(this.clients, 2);
    await this.call('POST', '/api/appointments', this.body({ ...same, therapist, client: one?.name }));
    return this.call('POST', '/api/appointments', this.body({ ...same, therapist, client: other?.name }));
  }

  /** Books two therapists with one client at the same time. */
  private async two(): Promise<LightMyRequestResponse> {
    const same = { ...this.times(), location: this.place(), date: this.date(), subject: 'Direct Therapy' };
    const client = this.random.pick(this.clients.slice(0, 2)).name;
    const [one, other] = this.random.sample(this.therapists, 2);
    await this.call('POST', '/api/appointments', this.body({ ...same, client, therapist: one?.name }));
    return this.call('POST', '/api/appointments', this.body({ ...same, client, therapist: other?.name }));
  }

  private async anyOf<T>(rows: Promise<{ rows: T[] }>): Promise<T | undefined> {
    const found = (await rows).rows;
    return found.length === 0 ? undefined : this.random.pick(found);
  }

  private anySession(where = sql`true`) {
    return this.anyOf(
      sql<{
        id: string;
        version: number;
        starts: string;
        ends: string;
        subject: string;
        client: string;
        place: Location;
        therapist: string | null;
        location: Location;
        parent_id: string | null;
      }>`
        select a.*, coalesce(c.display_name, 'Administrative') as client, t.display_name as therapist from appointment a
        left join client c on c.id = a.client_id left join therapist t on t.id = a.therapist_id
        where a.status <> 'entered-in-error' and ${where} order by a.starts, a.wire_id`.execute(this.db),
    );
  }

  private async move(): Promise<LightMyRequestResponse | null> {
    const row = await this.anySession();
    if (!row) return null;
    const { random } = this;
    const date = isoDate(row.starts.slice(0, 10));
    const [start, end] = [row.starts.slice(11, 16), row.ends.slice(11, 16)];
    const same = { location: row.location, client: row.client, therapist: row.therapist, date, start, end };
    const [sunday, monday] = [addDays(mondayOf(date), 6), addDays(mondayOf(date), 7)];
    const change = random.pick([
      { date: random.pick([sunday, monday, this.date()]) },
      this.times(),
      { therapist: random.pick(this.therapists).name },
      { location: this.place() },
      { status: random.pick(['Cancelled', 'No Show', 'Completed', 'Confirmed']) },
      { subject: random.pick(SUBJECTS) },
    ]);
    const body = { ...same, subject: row.subject, version: row.version, anyway: true, ...change };
    return this.call('PUT', `/api/appointments/${row.id}`, body);
  }

  private async cancel(): Promise<LightMyRequestResponse | null> {
    const row = await this.anySession(sql`a.occupies`);
    if (!row) return null;
    const { random } = this;
    const scope = random.chance(0.2) ? { scope: 'following' } : {};
    return this.call('POST', `/api/appointments/${row.id}/cancel`, {
      ...(random.chance(0.7) ? this.loss() : {}),
      ...scope,
    });
  }

  private away(): Promise<LightMyRequestResponse> {
    const { random } = this;
    const who = random.chance(0.7)
      ? { therapist: random.pick(this.therapists).name }
      : { client: random.pick(this.clients).name };
    const window = random.chance(0.4) ? {} : { begin: '00:00', end: '23:59' };
    const { start: begin, end } = { ...this.times() };
    const query = { ...who, date: this.date(), begin, end, ...window, replaces: random.chance(0.5) };
    const loss = random.chance(0.5) ? this.loss() : {};
    return saveAbsences(this.who, [{ ...query, ...loss }], this.place(), { take_back: true });
  }

  private async withdraw(): Promise<LightMyRequestResponse | null> {
    const row = await this.anyOf(
      sql<{ date: IsoDate; location: Location; name: string; type: string }>`
        select a.date, a.location, coalesce(t.display_name, c.display_name) as name,
          case when t.id is null then 'client' else 'therapist' end as type
        from absence a left join therapist t on t.id = a.therapist_id left join client c on c.id = a.client_id
        where a.withdrawn_at is null order by a.date, 3, a.start_minute`.execute(this.db),
    );
    return row ? this.call('POST', '/api/absences/withdraw', { ...row, take_back: true }) : null;
  }

  /** Makes options for one to three dates in a row, and submits one of them. */
  private async plan(): Promise<LightMyRequestResponse | null> {
    const { random } = this;
    const open = await this.anySession(sql`a.occupies and a.client_id is not null and a.starts > '2026-11-18 12:00'
      and (a.therapist_id is null or exists (select from absence x where x.withdrawn_at is null
        and x.therapist_id = a.therapist_id and x.date = a.starts::date))`);
    if (!open) return null;
    const first = isoDate(open.starts.slice(0, 10));
    const dates = Array.from({ length: random.int(1, 3) }, (_, i) => addDays(first, i));
    const made = await this.call('POST', '/api/proposals', { location: open.location, dates });
    if (made.statusCode !== 200) return made;
    const proposal = made.json<ProposalReply>();
    const reply = await submit(
      this.who,
      submitBody(proposal, everyone(proposal, random.pick(['Option 1', 'Option 2']))),
    );
    if (reply.statusCode === 200) this.commits.push(reply.json<ActionsReply>().commit);
    return reply;
  }

  private async undo(): Promise<LightMyRequestResponse | null> {
    const commit = this.commits.pop();
    return commit === undefined ? null : undo(this.who, commit);
  }

  private async say(table: 'appointment' | 'absence'): Promise<LightMyRequestResponse | null> {
    const row =
      table === 'appointment'
        ? await this.anySession(sql`a.status in ('cancelled', 'noshow')`)
        : await this.anyOf(
            sql<{ id: string }>`select id from absence where withdrawn_at is null
              order by date, therapist_id, client_id, start_minute`.execute(this.db),
          );
    const { loss } = this.loss() as { loss: object };
    return row ? this.call('PUT', `/api/${table}s/${row.id}/cause`, loss) : null;
  }

  private async editCause(): Promise<LightMyRequestResponse> {
    const { random } = this;
    const causes = (await this.who.call({ url: '/api/causes' })).json<
      { id: string; label: string; version: string }[]
    >();
    const { id, label, version } = random.pick(causes);
    if (random.chance(0.2)) return this.call('DELETE', `/api/causes/${id}`);
    const side = random.pick(['clinic', 'payer', 'family', 'therapist', null] as const);
    return this.call('PUT', `/api/causes/${id}`, { label, lost_by: side, version });
  }

  private async no(): Promise<'done' | null> {
    const row = await this.anySession(sql`a.occupies and a.location = 'altamonte' and a.therapist_id is not null
      and a.parent_id is null`);
    const [own, other] = [this.therapists.find((t) => t.name === row?.therapist), this.therapists[5]];
    const said = this.random.pick(NOES.filter((each) => each !== 'piece'));
    if (!row || !own || !other) return null;
    const date = isoDate(row.starts.slice(0, 10));
    await buildNo(this.db, said, { key: row.id, therapist: own.id, date, other: other.id });
    await bumpDays(this.db, [{ location: row.location, date }]); // as the call list does
    return 'done';
  }

  /** Imports four sessions, which may overlap each other and those on the calendar. */
  private import(): Promise<LightMyRequestResponse> {
    const { random } = this;
    const clock = (minutes: number): string =>
      `${((Math.floor(minutes / 60) + 11) % 12) + 1}:${String(minutes % 60).padStart(2, '0')} ${minutes < 720 ? 'AM' : 'PM'}`;
    const lines = Array.from({ length: 4 }, () => {
      const date = this.date();
      const [start, length] = [random.int(450, 900), random.pick([45, 60, 75])];
      const more = {
        date: `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`,
        location: random.pick(['Altamonte', 'Tampa']),
        subject: random.pick(SUBJECTS),
        status: random.pick(['Confirmed', 'Confirmed', 'Completed', 'Cancelled', 'No Show', 'deleted']),
      };
      const [therapist, client] = [random.pick(this.therapists).name, random.pick(this.clients).name];
      return appointment(`I-${random.int(1, 40)}`, clock(start), clock(start + length), therapist, client, more);
    });
    return this.who.call(formOf(smallFiles({ appointments: lines })));
  }

  private async endAuthorization(): Promise<'done' | null> {
    const row = await this.anyOf(
      sql<{ id: string }>`select id from client_authorization order by client_id, number`.execute(this.db),
    );
    if (!row) return null;
    await sql`update client_authorization set until_date = greatest(from_date, ${this.date()}::date)
      where id = ${row.id}`.execute(this.db);
    return 'done';
  }
}
