import { formatTime, type Interval } from '@clinic/domain';
import type { TodayReply, Wrong } from '@clinic/contract';
import { presentAbsence } from '../day/present-absence.ts';
import { presentCommit } from '../day/present-commit.ts';
import { countToSubmit, type WellDay } from '../day/well.ts';
import { mayWorkAt } from '../access/caller.ts';
import type { Today } from './today.service.ts';

/** The Today page's figures as the API shows them. */
export function presentToday(today: Today, caller: Parameters<typeof mayWorkAt>[0]): TodayReply {
  return {
    now: today.now.text,
    needs_cover: today.open.map(({ key, session, client, subject, why, ...stretch }) => ({
      key,
      session,
      client,
      ...presentWindow(stretch),
      subject,
      why,
    })),
    to_cancel: countToSubmit(today.well),
    wrong: today.well.wrong.map((each) => presentWrong(each, caller)),
    away: today.away.map(presentAbsence),
    commits: today.commits.map(presentCommit),
    reserve: today.reserve.map(({ therapist, credential, windows, minutes }) => ({
      therapist,
      credential,
      windows: windows.map(presentWindow),
      minutes,
    })),
    not_said: today.notSaid.map(({ kind, key, name, type, date, ...stretch }) => ({
      kind,
      key,
      name,
      type,
      date,
      ...presentWindow({ start: stretch.start, end: Math.min(stretch.end, 1439) }),
    })),
    week: today.week.map(({ date, booked, kept, lost, open }) => ({ date, booked, kept, lost, open })),
  };
}

function presentWindow({ start, end }: Interval): { start: string; end: string } {
  return { start: formatTime(start), end: formatTime(end) };
}

function presentWrong(wrong: WellDay['wrong'][number], caller: Parameters<typeof mayWorkAt>[0]): Wrong {
  const sessions = wrong.sessions.map(({ key, location, client, therapist, ...times }) => ({
    key,
    location,
    ...presentWindow(times),
    // A child's name is shown only to an account that may see the session's location.
    client: mayWorkAt(caller, location) ? client : null,
    therapist,
  }));
  switch (wrong.kind) {
    case 'twice':
      return { kind: wrong.kind, sessions, person: wrong.person, times: wrong.times.map(presentWindow) };
    case 'rule': {
      const why = wrong.broken.map((broken) => broken.why);
      return { kind: wrong.kind, sessions, why, ...(wrong.byCover ? { by_cover: true } : {}) };
    }
    case 'to-submit':
      return { kind: wrong.kind, sessions, times: wrong.times.map(presentWindow) };
  }
}
