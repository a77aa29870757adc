import { useState, type FormEvent } from 'react';
import { absenceReportsEndpoints, OWN_CAUSES, type OwnReport, type OwnWeek } from '@clinic/contract';
import { clockTime, DAY_END, DAY_START, formatTime, isoDate, parseTime, shortDate } from '@clinic/domain';
import { formText } from '../../../shared/form-text.ts';
import css from './own-day.module.css';
import { call } from '../../../shared/api/client.ts';
import { failureWords } from '../../../shared/api/failure-words.ts';
import { CAUSE_WORDS } from '../../../shared/own-causes.ts';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { loadAgain } from './api.ts';

const STATES: Readonly<Record<OwnReport['state'], string>> = {
  open: 'The clinic has not confirmed this yet.',
  confirmed: 'Confirmed by the clinic.',
  declined: 'Declined: the clinic expects you to come. If you cannot, call the clinic.',
};

const when = (date: string, time: string): string => `${shortDate(isoDate(date))}, ${clockTime(parseTime(time) ?? 0)}`;
const wordsOf = (error: unknown): string => failureWords(error, 'your absences');

/** The form *I can't come*, and the state of earlier reports. */
export function OwnReports({ week }: { week: OwnWeek }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={css.day} aria-label="Absences">
      {week.reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
      {open ? (
        <ReportForm week={week} onDone={() => setOpen(false)} />
      ) : (
        <div className={css.acts}>
          <Button size="lg" onClick={() => setOpen(true)}>
            I can’t come
          </Button>
        </div>
      )}
    </section>
  );
}

function Report({ report }: { report: OwnReport }) {
  const withdraw = (): void => {
    call(absenceReportsEndpoints.withdrawAbsenceReport, { params: { id: report.id } })
      .then(
        () => toast({ text: 'Your report was withdrawn' }),
        (error: unknown) => toast({ tone: 'warn', text: wordsOf(error) }),
      )
      .finally(() => void loadAgain());
  };
  return (
    <div className={css.session}>
      <b>{`Away ${when(report.from_date, report.from_time)} to ${when(report.to_date, report.to_time)}`}</b>
      <span className="muted">{STATES[report.state]}</span>
      {report.state === 'open' ? (
        <span>
          <Button single onClick={withdraw}>
            I can come after all
          </Button>
        </span>
      ) : null}
    </div>
  );
}

function ReportForm({ week, onDone }: { week: OwnWeek; onDone: () => void }) {
  const today = week.now.slice(0, 10);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [edited, setEdited] = useState(false);
  const { mayClose, leave } = useUnsaved({ edited, saving: busy, about: 'Your absence has not been sent yet.' });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => formText(form, name);
    const cause = OWN_CAUSES.find((each) => each === text('cause')) ?? 'other';
    setBusy(true);
    setFault(null);
    const dates = { from_date: isoDate(text('from_date')), to_date: isoDate(text('to_date')) };
    const body = { ...dates, from_time: text('from_time'), to_time: text('to_time'), cause };
    call(absenceReportsEndpoints.reportAbsence, { body })
      .then(
        async () => {
          await loadAgain();
          toast({ text: 'Your report was sent to the clinic' });
          leave(onDone);
        },
        (error: unknown) => setFault(wordsOf(error)),
      )
      .finally(() => setBusy(false));
  };
  const dates = { min: today, max: week.latest, required: true, defaultValue: today, large: true };
  return (
    <form className={css.reason} onSubmit={submit} onChange={() => setEdited(true)}>
      <h2>I can’t come</h2>
      {fault === null ? null : <Notice tone="error" title={fault} />}
      <DateField label="Start date" name="from_date" {...dates} />
      <Input
        label="Start time"
        name="from_time"
        type="time"
        required
        large
        defaultValue={formatTime(DAY_START)}
        step={900}
      />
      <DateField label="End date" name="to_date" {...dates} />
      <Input label="End time" name="to_time" type="time" required large defaultValue={formatTime(DAY_END)} step={900} />
      <Select label="Why" name="cause" large>
        <Options of={OWN_CAUSES.map((cause) => [cause, CAUSE_WORDS[cause]])} />
      </Select>
      <p className="small muted">The clinic has to confirm your absence. Until then, the schedule stays the same.</p>
      <div className={css.acts}>
        <Button size="lg" unavailable={busy} onClick={() => mayClose(onDone) && onDone()}>
          Back
        </Button>
        <Button size="lg" variant="primary" type="submit" unavailable={busy}>
          Send
        </Button>
      </div>
    </form>
  );
}
