import { formatTime, type Interval } from '@clinic/domain';
import type { TodayReply } from '@clinic/contract';
import { presentAbsence } from '../../clinic-day/present-absence.ts';
import { presentCommit } from '../../clinic-day/present-commit.ts';
import type { Today } from './today.service.ts';

/** The Today page's figures as the API shows them. */
export function presentToday(today: Today): TodayReply {
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
    to_cancel: today.toCancel,
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
