import { addDays, dayOfWeek, isoDate, type IsoDate, type Location } from '@clinic/domain';
import type { Db } from '../db/connection.ts';
import { buildAppointment, buildClient, buildTherapist, type ClientPlan, type TherapistPlan } from './builders.ts';

type OneDayTherapist = Pick<TherapistPlan, 'tags'> & { readonly from?: string; readonly to?: string };

/**
 * One test's people and sessions at Altamonte, on a date that no other test uses, so that the tests in a file can share
 * a database. Everyone has the same last name, and the therapists are available on this date only.
 */
export class OneDay {
  readonly on: { readonly location: Location; readonly date: IsoDate };
  private readonly db: Db;
  private readonly last: string;

  constructor(db: Db, date: string, last: string) {
    this.on = { location: 'altamonte', date: isoDate(date) };
    this.db = db;
    this.last = last;
  }

  /** Makes a therapist, available from 8:00 to 17:00 unless given otherwise; returns the id. */
  therapist(first: string, { from = '08:00', to = '17:00', ...plan }: OneDayTherapist = {}): Promise<string> {
    const { date } = this.on;
    const windows: TherapistPlan['windows'] = [[dayOfWeek(date), from, to, date, date]];
    return buildTherapist(this.db, { ...plan, first, last: this.last, windows });
  }

  client(first: string, plan: Omit<ClientPlan, 'first' | 'last'> = {}): Promise<string> {
    return buildClient(this.db, { ...plan, first, last: this.last });
  }

  /** Puts a therapist on a client's team, by giving them four sessions together in recent weeks. */
  onTeam = (therapist: string, client: string): Promise<void> => this.past(therapist, client, [7, 14, 21, 28]);

  /** Makes a therapist known to a client, by giving them one session together long ago. */
  knows = (therapist: string, client: string): Promise<void> => this.past(therapist, client, [60]);

  private async past(therapist: string, client: string, daysBefore: readonly number[]): Promise<void> {
    for (const days of daysBefore) {
      const at = { date: addDays(this.on.date, -days), start: '09:00', end: '10:00' };
      await buildAppointment(this.db, { therapist, client, ...at, status: 'fulfilled' });
    }
  }

  /** Books a session, or administrative time if there is no client, as an import would; returns its key. */
  session(therapist: string, client: string | null, start: string, end: string): Promise<string> {
    return buildAppointment(this.db, { therapist, client, date: this.on.date, start, end });
  }

  /** A person's full name. */
  name = (first: string): string => `${first} ${this.last}`;
}
