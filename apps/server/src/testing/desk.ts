import { beforeEach, expect } from 'vitest';
import type { LightMyRequestResponse } from 'fastify';
import type { WireAppointment } from '@clinic/contract';
import { buildAppointment, buildClient, buildTherapist } from './builders.ts';
import { OpenApp, openFor } from './use-app.ts';

/** A Monday; the tests run as if it were the previous Friday. */
export const DAY = '2026-11-23';

const ALWAYS = [0, 1, 2, 3, 4, 5, 6].map((day): [number, string, string] => [day, '00:00', '24:00']);

/** The body of a reply with status 409. */
export interface Refused {
  detail: {
    message: string;
    conflicts: { date: string; time: string; therapist: string; client?: string; why: string }[];
    version?: number;
  };
}

/** A person at the front desk, who books with the same requests as the pages. */
export class Desk extends OpenApp {
  /** Each test has its own therapist and client, so that tests do not affect each other. */
  ana = '';
  bo = '';
  names = { therapist: '', client: '' };
  /** The test's number, used to name additional people. */
  person = 0;

  /** The body that books Ana for Bo on `DAY`, from 8:30 to 11:30. */
  session(more: object = {}): object {
    return {
      location: 'altamonte',
      client: this.names.client,
      therapist: this.names.therapist,
      date: DAY,
      start: '08:30',
      end: '11:30',
      subject: 'Direct Therapy',
      ...more,
    };
  }

  post(payload: object, by = this.staff): Promise<LightMyRequestResponse> {
    return by.call({ method: 'POST', url: '/api/appointments', payload });
  }

  put(key: string | undefined, payload: object, by = this.staff): Promise<LightMyRequestResponse> {
    return by.call({ method: 'PUT', url: `/api/appointments/${key}`, payload });
  }

  cancel(key: string | undefined, payload: object = {}, by = this.staff): Promise<LightMyRequestResponse> {
    return by.call({ method: 'POST', url: `/api/appointments/${key}/cancel`, payload });
  }

  takeBack(key: string | undefined, payload: object = {}): Promise<LightMyRequestResponse> {
    return this.staff.call({ method: 'POST', url: `/api/appointments/${key}/take-back`, payload });
  }

  /** Books the session; fails the test if the booking is refused. */
  async booked(more: object = {}): Promise<WireAppointment> {
    const reply = await this.post(this.session(more));
    expect(reply.statusCode, reply.body).toBe(201);
    const [first] = reply.json<WireAppointment[]>();
    if (!first) throw new Error('nothing was booked');
    return first;
  }

  /** Stores a session of Ana's that overlaps another imported session; returns its key. */
  clashing(clash: string, client: string, start: string, end: string): Promise<string> {
    return buildAppointment(this.db, { therapist: this.ana, client, date: DAY, start, end, clash });
  }

  rowOf(key: string | undefined) {
    return this.db
      .selectFrom('appointment')
      .selectAll()
      .where('id', '=', key ?? '')
      .executeTakeFirstOrThrow();
  }

  historyOf(key: string | undefined) {
    return this.db
      .selectFrom('appointment_event')
      .selectAll()
      .where('appointment_id', '=', key ?? '')
      .orderBy('id')
      .execute();
  }
}

/** A desk for all tests in a file, with its own application and database. */
export function useDesk(): Desk {
  const desk = openFor(new Desk());
  beforeEach(async () => {
    const number = ++desk.person;
    desk.names = { therapist: `Ana Ruiz${number}`, client: `Bo Lee${number}` };
    desk.ana = await buildTherapist(desk.db, { first: 'Ana', last: `Ruiz${number}`, windows: ALWAYS });
    desk.bo = await buildClient(desk.db, { first: 'Bo', last: `Lee${number}` });
  });
  return desk;
}
