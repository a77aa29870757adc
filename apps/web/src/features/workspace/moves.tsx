import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { appointmentsEndpoints, UNASSIGNED, type WireAppointment } from '@clinic/contract';
import { formatTime, type Location } from '@clinic/domain';
import { formOf, toBody, whenWords, type AppointmentBody, type Drawn, type Scope } from '../book/model.ts';
import { Gestures, type HandsProps } from '../calendar/gestures/gestures.tsx';
import type { Dropped, Grid } from '../calendar/gestures/hands.ts';
import { isUnassigned } from '../calendar/appointments.ts';
import { ApiError, call, isRecord } from '../../shared/api/client.ts';
import { failureWords } from '../../shared/api/failure-words.ts';
import { cannotUndo } from '../../shared/edits/undo-booking.ts';
import { useOnlyReads } from '../../shared/session/session-info.ts';
import { AlertDialog } from '../../shared/ui/dialog.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { sourceOf } from './calendar-bridge.ts';

/** A question between a drop and its saving: its answer, or null to put the session back. */
interface Question {
  readonly title: string;
  readonly words: string;
  readonly answers: readonly { readonly text: string; readonly value: string }[];
  readonly reply: (value: string | null) => void;
}

type Ask = (title: string, words: string, answers: Question['answers']) => Promise<string | null>;

/** Lets sessions on the grid be moved: saves what is dropped, and asks what has to be asked. Loaded after the grid. */
export function Moves({
  location,
  onNew,
  ...grid
}: Omit<Grid, 'onDrop'> & HandsProps & { location: Location; onNew: (drawn: Drawn) => void }) {
  const queries = useQueryClient();
  const reads = useOnlyReads();
  const [question, setQuestion] = useState<Question | null>(null);
  const ask: Ask = (title, words, answers) => new Promise((reply) => setQuestion({ title, words, answers, reply }));
  const reload = () => queries.invalidateQueries({ queryKey: ['slots'] });
  const onDrop = async ({ spot, ground, session }: Dropped): Promise<void> => {
    const when = { date: ground.date, start: formatTime(spot.start), end: formatTime(spot.end) };
    if (session === null) {
      const { therapist, client } = ground;
      return onNew({
        ...when,
        ...(therapist == null ? {} : { therapist }),
        ...(client === undefined ? {} : { client }),
      });
    }
    const source = sourceOf(session, isUnassigned(session.therapist));
    if (!source) return;
    const form = formOf(source);
    const therapist = ground.therapist === undefined ? form.therapist : (ground.therapist ?? UNASSIGNED);
    const before = toBody(form, location, source);
    const body = toBody({ ...form, ...when, therapist }, location, source);
    await save({ key: source.key, before, body, ask, reload });
    await reload();
  };
  return (
    <>
      {reads ? null : <Gestures {...grid} onDrop={onDrop} />}
      {question ? <MoveQuestion {...question} onClose={() => setQuestion(null)} /> : null}
    </>
  );
}

interface Move {
  readonly key: string;
  readonly before: AppointmentBody;
  readonly body: AppointmentBody;
  readonly ask: Ask;
  readonly reload: () => Promise<void>;
}

/** Saves a move: asks how much of its series moves, and about what a rule says. */
async function save({ key, before, body, ask, reload }: Move): Promise<void> {
  try {
    const scope = await askScope(key, body, ask);
    if (scope === null) return;
    const reply = await write(key, { ...body, scope }, ask);
    if (!reply) return;
    const later = { one: '', following: ', from now on', all: ', all still to come' }[scope];
    toast({
      text: `${body.client}: ${whenWords(body)}${body.therapist === before.therapist ? '' : ` with ${body.therapist ?? UNASSIGNED}`}${later}.`,
      action: { label: 'Undo', run: () => void undo(key, { ...before, version: reply.version, scope }, reload) },
    });
  } catch (error) {
    toast({ text: failureWords(error, 'the calendar', 'moved'), tone: 'warn', stays: 12_000 });
  }
}

async function askScope(key: string, body: AppointmentBody, ask: Ask): Promise<Scope | null> {
  const {
    dates,
    earlier = [],
    goes_on: goesOn = false,
  } = await call(appointmentsEndpoints.series, { params: { key } });
  if (dates.length + earlier.length === 0 && !goesOn) return 'one';
  const answer = await ask(
    earlier.length === 0 ? 'Only this one, or from now on?' : 'Only this one, from now on, or all?',
    seriesWords(body.client, dates.length, earlier.length, goesOn),
    [
      { text: 'This one', value: 'one' },
      ...(dates.length === 0 && !goesOn ? [] : [{ text: 'From now on', value: 'following' }]),
      ...(earlier.length === 0 ? [] : [{ text: 'All still to come', value: 'all' }]),
    ],
  );
  return answer === 'one' || answer === 'following' || answer === 'all' ? answer : null;
}

/** How many sessions of a series would move with this one. */
function seriesWords(client: string, later: number, earlier: number, goesOn: boolean): string {
  const repeats = `${client}’s session repeats every week:`;
  if (later === 0 && goesOn) return `${repeats} those that are booked later would move, too.`;
  if (later === 0) return earlier === 1 ? `${repeats} 1 is before it.` : `${repeats} ${earlier} are before it.`;
  const after = later === 1 ? '1 more would move, too' : `${later} more would move, too`;
  if (earlier === 0) return `${repeats} ${after}.`;
  return earlier === 1
    ? `${repeats} ${after}, and 1 is before it.`
    : `${repeats} ${after}, and ${earlier} are before it.`;
}

type Change = AppointmentBody & { readonly scope: Scope };

/** Writes a change; asks about a rule that may be overridden. Null if it was put back. */
async function write(key: string, body: Change, ask: Ask): Promise<WireAppointment | null> {
  try {
    return await call(appointmentsEndpoints.update, { params: { key }, body });
  } catch (error) {
    if (!(error instanceof ApiError && isRecord(error.detail) && error.detail['anyway'] === true)) throw error;
    const answer = await ask('Move it anyway?', error.message, [{ text: 'Move anyway', value: 'anyway' }]);
    return answer === null
      ? null
      : call(appointmentsEndpoints.update, { params: { key }, body: { ...body, anyway: true } });
  }
}

/** Moves a session back, unless someone has changed it since. What was allowed before is not asked about again. */
async function undo(
  key: string,
  body: Change & { version: number | undefined },
  reload: () => Promise<void>,
): Promise<void> {
  const { version, ...rest } = body;
  try {
    await call(appointmentsEndpoints.update, {
      params: { key },
      body: { ...rest, anyway: true, ...(version === undefined ? {} : { version }) },
    });
    toast({ text: `${body.client} is back at ${whenWords(body)}.` });
  } catch (error) {
    cannotUndo(error);
  }
  await reload();
}

function MoveQuestion({ title, words, answers, reply, onClose }: Question & { onClose: () => void }) {
  useEffect(() => {
    const pressed = ({ key }: KeyboardEvent): void => {
      const answer = answers[Number(key) - 1];
      if (!answer) return;
      reply(answer.value);
      onClose();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  });
  return (
    <AlertDialog
      title={title}
      keep="Put it back"
      onClose={() => {
        reply(null);
        onClose();
      }}
      acts={answers.map(({ text, value }, i) => ({
        text: (
          <>
            {text} <kbd aria-hidden="true">{i + 1}</kbd>
          </>
        ),
        run: (close) => {
          reply(value);
          close();
        },
      }))}
    >
      <p>{words}</p>
    </AlertDialog>
  );
}
