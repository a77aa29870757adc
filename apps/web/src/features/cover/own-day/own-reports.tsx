import { useState, type FormEvent } from 'react';
import { absenceReportsEndpoints, OWN_CAUSES, type OwnReport, type OwnWeek } from '@clinic/contract';
import { DAY_END, DAY_START, formatTime, isoDate } from '@clinic/domain';
import { formText } from '../../../shared/form-text.ts';
import css from './own-day.module.css';
import { call } from '../../../shared/api/client.ts';
import { DateField } from '../../../shared/ui/date-field.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Input, Options, Select } from '../../../shared/ui/field.tsx';
import { Notice } from '../../../shared/ui/states.tsx';
import { toast } from '../../../shared/ui/toast.tsx';
import { useUnsaved } from '../../../shared/unsaved/use-unsaved.ts';
import { loadAgain } from './api.ts';
import { useWords } from './model.ts';

/** The form *I can't come*, and the state of earlier reports. */
export function OwnReports({ week }: { week: OwnWeek }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  return (
    <section className={css.day} aria-label={t('absences')}>
      {week.reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
      {open ? (
        <ReportForm week={week} onDone={() => setOpen(false)} />
      ) : (
        <div className={css.acts}>
          <Button size="lg" onClick={() => setOpen(true)}>
            {t('cannotCome')}
          </Button>
        </div>
      )}
    </section>
  );
}

function Report({ report }: { report: OwnReport }) {
  const { t, moment, failure } = useWords();
  const withdraw = (): void => {
    call(absenceReportsEndpoints.withdrawAbsenceReport, { params: { id: report.id } })
      .then(
        () => toast({ text: t('withdrawn') }),
        (error: unknown) => toast({ tone: 'warn', text: failure(error, 'your absences') }),
      )
      .finally(() => void loadAgain());
  };
  return (
    <div className={css.session}>
      <b>
        {t('away', {
          from: moment(report.from_date, report.from_time),
          to: moment(report.to_date, report.to_time),
        })}
      </b>
      <span className="muted">{t(`report.${report.state}`)}</span>
      {report.state === 'open' ? (
        <span>
          <Button single onClick={withdraw}>
            {t('canCome')}
          </Button>
        </span>
      ) : null}
    </div>
  );
}

function ReportForm({ week, onDone }: { week: OwnWeek; onDone: () => void }) {
  const { t, failure, leaving } = useWords();
  const today = week.now.slice(0, 10);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [edited, setEdited] = useState(false);
  const { mayClose, leave } = useUnsaved({ edited, saving: busy, about: t('absenceUnsent'), words: leaving() });
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
          toast({ text: t('reported') });
          leave(onDone);
        },
        (error: unknown) => setFault(failure(error, 'your absences')),
      )
      .finally(() => setBusy(false));
  };
  const dates = { min: today, max: week.latest, required: true, defaultValue: today, large: true };
  const times = { type: 'time', required: true, large: true, step: 900 };
  return (
    <form className={css.reason} onSubmit={submit} onChange={() => setEdited(true)}>
      <h2>{t('cannotCome')}</h2>
      {fault === null ? null : <Notice tone="error" title={fault} />}
      <DateField label={t('startDate')} name="from_date" {...dates} />
      <Input label={t('startTime')} name="from_time" {...times} defaultValue={formatTime(DAY_START)} />
      <DateField label={t('endDate')} name="to_date" {...dates} />
      <Input label={t('endTime')} name="to_time" {...times} defaultValue={formatTime(DAY_END)} />
      <Select label={t('why')} name="cause" large>
        <Options of={OWN_CAUSES.map((cause) => [cause, t(`cause.${cause}`)])} />
      </Select>
      <p className="small muted">{t('mustConfirm')}</p>
      <div className={css.acts}>
        <Button size="lg" unavailable={busy} onClick={() => mayClose(onDone) && onDone()}>
          {t('back')}
        </Button>
        <Button size="lg" variant="primary" type="submit" unavailable={busy}>
          {t('send')}
        </Button>
      </div>
    </form>
  );
}
