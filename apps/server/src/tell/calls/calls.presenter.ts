import type { CallCount, CallLine, CallsReply, Contact } from '@clinic/contract';
import { compareNames, formatTime, languageOf, SPANISH, type LanguageCode } from '@clinic/domain';
import { isoOf } from '../../platform/clock.ts';
import type { WallNow } from '../../platform/wall-clock.ts';
import type { Answer } from '../memory/call-day.ts';
import type { ClaimRow } from '../lines/call-day.queries.ts';
import type { CallBoard, CalledLines } from './call-board.ts';
import { presentMessage } from '../../platform/sending/message-state.ts';
import type { Sender } from '../../platform/sending/sender.ts';
import type { Line } from '../lines/line.ts';
import { whyNotSent, wordsOf } from '../lines/messages.ts';
import type { MessageRow } from '../lines/outbox.queries.ts';

export function presentCalls(
  calls: CallBoard,
  now: WallNow,
  accountId: string,
  { ways, publicUrl }: Pick<Sender, 'ways'> & { readonly publicUrl: string | undefined },
): CallsReply {
  const claims = new Map(calls.claims.map((claim) => [claim.person, claim]));
  return {
    location: calls.location,
    date: calls.date,
    now: now.text,
    sheet: calls.sheet && { at: isoOf(calls.sheet.at), by: calls.sheet.by },
    open: calls.open,
    sending: { ...ways, to_release: calls.lines.filter((line) => wouldBeSent(calls, line, ways)).length },
    next_ring: timeOrNull(calls.nextRing),
    lines: calls.lines.map((line) =>
      presentLine(line, {
        claim: claims.get(line.person),
        contacts: calls.contacts.get(line.person),
        message: calls.messages.find((each) => each.person === line.person),
        written: writtenWords(calls, line, publicUrl),
        accountId,
      }),
    ),
    told: calls.told.map(({ person, kind, id, name, told }) => {
      const dropped = calls.messages.find((each) => each.person === person && each.dropped_at !== null);
      return { kind, id, name, ...presentAnswer(told), dropped: dropped ? presentMessage(dropped) : null };
    }),
    declined: calls.declined.map(({ id, therapist, words, by, byPage, reason }) => {
      return { id, therapist, words, by, own_page: byPage, note: reason };
    }),
  };
}

/** The words of a message that a coordinator writes about the line; undefined if none may be sent. */
function writtenWords({ reach, date }: CallBoard, line: Line, publicUrl: string | undefined): CallLine['written'] {
  if (whyNotSent(line) !== null) return undefined;
  const ownPage = reach.get(line.person)?.ownPage ?? false;
  const words = (language: LanguageCode): string => wordsOf([line], date, { ownPage, language }, publicUrl);
  return { en: words('en'), es: words('es') };
}

/** Whether *Release* would send a message for this line. */
function wouldBeSent({ reach, messages }: CallBoard, line: Line, ways: Sender['ways']): boolean {
  const to = reach.get(line.person);
  if (!to || !ways[to.way]) return false;
  return whyNotSent(line) === null && !messages.some((each) => each.person === line.person && isAbout(each, line));
}

/** Whether a message is about the line's current version and was not dropped. */
const isAbout = ({ version, dropped_at }: MessageRow, line: Pick<Line, 'version'>): boolean =>
  version === line.version && dropped_at === null;

interface Around {
  readonly claim?: ClaimRow | undefined;
  readonly contacts?: readonly Contact[] | undefined;
  readonly message?: MessageRow | undefined;
  readonly written?: CallLine['written'];
  readonly accountId: string;
}

export function presentLine(line: Line, { claim, contacts = [], message, written, accountId }: Around): CallLine {
  return {
    kind: line.kind,
    id: line.id,
    name: line.name,
    call: line.call,
    version: line.version,
    first: formatTime(line.first),
    urgent: line.urgent,
    here: line.here,
    say: [...line.say],
    ...(contacts.some(({ language }) => languageOf(language) === 'es') ? { say_es: [...line.sayIn(SPANISH)] } : {}),
    ...(written ? { written } : {}),
    after: line.after.map(({ id, spoken: name }) => ({ id, name })),
    again: line.again && {
      heard: 'how' in line.again.from ? line.again.from.how : 'told',
      was: line.again.was,
      now: line.again.now,
      at: isoOf(line.again.from.at),
      by: line.again.from.by,
    },
    sessions: line.sessions.map(({ key, version, therapistId, with: other, ...session }) => {
      const asked = session.parts ?? [session];
      const times = {
        start: formatTime(Math.min(...asked.map(({ start }) => start))),
        end: formatTime(Math.max(...asked.map(({ end }) => end))),
      };
      return { key, version, ...times, has_therapist: therapistId !== null, with: other };
    }),
    waits_for: [...line.waitsFor],
    ring_by: timeOrNull(line.ringBy),
    answers: line.since.map(presentAnswer),
    newest_result: line.newest,
    message: message && (isAbout(message, line) || message.dropped_at !== null) ? presentMessage(message) : null,
    seen_at: line.seenAt && isoOf(line.seenAt),
    ringing: claim ? { by: claim.by, mine: claim.accountId === accountId, at: isoOf(claim.at) } : null,
    contacts: [...contacts],
  };
}

const presentAnswer = ({
  id,
  answer,
  at,
  by,
  note,
  ringAgain,
  byPage,
  takenBack,
}: Answer): CallLine['answers'][number] => ({
  result: id,
  answer,
  at: isoOf(at),
  by,
  note,
  ring_by: timeOrNull(ringAgain?.by ?? null),
  own_page: byPage,
  taken_back: takenBack,
});

const timeOrNull = (minutes: number | null): string | null => (minutes === null ? null : formatTime(minutes));

export function presentCount({ lines, nextRing, claims }: CalledLines): CallCount {
  const first = lines.length === 0 ? null : Math.min(...lines.map((line) => line.first));
  return {
    to_tell: lines.length,
    to_ask: lines.filter(({ call }) => call === 'ask').length,
    urgent: lines.filter((line) => line.urgent).length,
    next: timeOrNull(first),
    next_ring: timeOrNull(nextRing),
    calling: [...new Set(claims.map((claim) => claim.by))].sort(compareNames),
  };
}
