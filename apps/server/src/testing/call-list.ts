import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { CallLine, CallsReply } from '@clinic/contract';
import { isoDate, type IsoDate, type Location } from '@clinic/domain';
import { commitEveryone, propose } from './calls.ts';
import { DATE } from './small-clinic.ts';
import type { SignedIn } from './test-app.ts';

/** The small clinic's day, as call-list requests identify it. */
export const ON = { location: 'altamonte', date: isoDate(DATE) } as const;

/** Tests tell people in any order; the page asks before it tells someone who waits for a yes. */
export const beforeYes = (path: string): object => (path === 'answer' ? { before_yes: true } : {});

/** The requests that the Calls page makes, by default for the small clinic. `who` returns the account to use. */
export class CallList {
  private readonly who: () => SignedIn;
  private readonly on: { readonly location: Location; readonly date: IsoDate };

  constructor(who: () => SignedIn, on: CallList['on'] = ON) {
    this.who = who;
    this.on = on;
  }

  list = async (): Promise<CallsReply> => {
    const reply = await this.who().call({ url: '/api/calls', query: this.on });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<CallsReply>();
  };

  lineOf = async (name: string): Promise<CallLine> => {
    const line = (await this.list()).lines.find((each) => each.name === name);
    if (!line) throw new Error(`there is no line for ${name}`);
    return line;
  };

  post = (path: string, payload: object, by = this.who()): Promise<LightMyRequestResponse> =>
    by.call({ method: 'POST', url: `/api/calls/${path}`, payload: { ...this.on, ...beforeYes(path), ...payload } });

  /** Records a person's answer, and returns the reply. */
  answer = async (name: string, what: string, more: object = {}): Promise<LightMyRequestResponse> => {
    const { kind, id, version } = await this.lineOf(name);
    return this.post('answer', { kind, id, version, answer: what, ...more });
  };

  /** Records a person's answer, and returns the new list; fails the test if the answer is refused. */
  answered = async (name: string, what: string, more: object = {}): Promise<CallsReply> => {
    const reply = await this.answer(name, what, more);
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json<CallsReply>();
  };

  told = async (...names: string[]): Promise<void> => {
    for (const name of names) await this.answered(name, 'told');
  };

  /** Commits a plan in which Ana is away and Kai covers Bo's session; returns the commit's id. */
  covered = async (): Promise<string> =>
    (await commitEveryone(this.who(), await propose(this.who(), { therapist: 'Ana Ruiz' }))).commit;
}
