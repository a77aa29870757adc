import { expect, test } from 'vitest';
import { actionsBodySchema } from '@clinic/contract';
import { withTurns, type TakeTurn, type TurnFor } from '../../../db/turn.ts';
import type { Act } from '../../../platform/access/act.ts';
import { wallNow } from '../../../platform/wall-clock.ts';
import { everyone, propose, submitBody } from '../../../testing/calls.ts';
import { buildCoverApp } from '../../../testing/cover-app.ts';
import { buildSmallClinic, DATE } from '../../../testing/small-clinic.ts';
import { useApp } from '../../../testing/use-app.ts';
import { commitChoice } from './commits.service.ts';
import { undoCommit } from './undo.service.ts';

const app = useApp(() => buildCoverApp({ deps: { clock: { now: () => Date.parse('2026-11-20T12:00:00Z') } } }));

test('a commit and its undo wait for their turn at the location of the options, although their requests name no location', async () => {
  const { db, clock } = app.deps;
  await buildSmallClinic(db);
  const who = await app.signIn();
  const proposal = await propose(who, { therapist: 'Ana Ruiz', date: DATE });
  const person = { id: who.accountId, email: who.email, name: 'Staff', role: 'scheduler', locations: null } as const;
  const act: Act = {
    caller: { ...person, therapistId: null, demo: false, sessionId: '', sessionEnds: Number.MAX_SAFE_INTEGER },
    requestId: 'turns',
    at: Date.now(),
  };
  const wallOf = (location: Parameters<typeof wallNow>[1]) => wallNow(clock, location);
  const taken: (TurnFor | undefined)[] = [];
  const write: TakeTurn = (what) => {
    taken.push(what);
    return Promise.resolve(() => {});
  };
  const body = submitBody(proposal, everyone(proposal));
  const { commit } = await withTurns({ write }, () =>
    commitChoice(db, wallOf, actionsBodySchema.parse(body), null, act),
  );
  await withTurns({ write }, () => undoCommit(db, wallOf, commit, act));
  expect(taken).toEqual([{ location: 'altamonte' }, { location: 'altamonte' }]);
});
