import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { SignedIn } from './test-app.ts';
import type { OpenApp } from './use-app.ts';

/** The required fields of a new therapist; `BO` has those of a new client. */
export const ANA = {
  first_name: 'Ana',
  last_name: 'Ruiz',
  location: 'altamonte',
  specialization: 'RBT',
  gender: 'Female',
  start_date: '2024-03-04',
};
export const BO = { first_name: 'Bo', last_name: 'Lee', location: 'altamonte', gender: 'Male' };

/** The requests that the pages make for therapists' or clients' profiles. */
export class ProfileCalls<Profile> {
  private readonly open: OpenApp;
  private readonly url: string;

  constructor(open: OpenApp, kind: 'clients' | 'therapists') {
    this.open = open;
    this.url = `/api/${kind}`;
  }

  post = (payload: object, by = this.open.staff): Promise<LightMyRequestResponse> =>
    by.call({ method: 'POST', url: this.url, payload });

  put = (id: string, payload: object, by = this.open.staff): Promise<LightMyRequestResponse> =>
    by.call({ method: 'PUT', url: `${this.url}/${id}`, payload });

  get = (id: string, by: SignedIn = this.open.staff): Promise<LightMyRequestResponse> =>
    by.call({ url: `${this.url}/${id}` });

  /** Saves a new profile and returns it; fails the test if the profile is refused. */
  made = async (payload: object): Promise<Profile> => {
    const reply = await this.post(payload);
    expect(reply.statusCode, reply.body).toBe(201);
    return reply.json<Profile>();
  };
}
