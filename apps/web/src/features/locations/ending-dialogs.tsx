import { useState } from 'react';
import type { ManagedLocation } from '@clinic/contract';
import { parseDate, shortDate, type IsoDate } from '@clinic/domain';
import { failureWords } from '../../shared/api/failure-words.ts';
import { DateField } from '../../shared/ui/date-field.tsx';
import { Options, Select } from '../../shared/ui/field.tsx';
import { FormDialog } from '../../shared/ui/form-dialog.tsx';
import { LoadFailure } from '../../shared/ui/load-failure.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { closeFrom, mergeInto, useMergePreview, useRemaining } from './api.ts';
import { mergedWords, remainingWords } from './model.ts';

interface Props {
  location: ManagedLocation;
  today: IsoDate;
  onClose: () => void;
}

/** Sends one form, and says why it was refused. */
function useSending(close: (done: () => void) => void) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const send = (work: () => Promise<unknown>, shut: () => void): void => {
    setBusy(true);
    setFailure(null);
    work().then(
      () => close(shut),
      (error: unknown) => {
        setBusy(false);
        setFailure(failureWords(error, 'the list'));
      },
    );
  };
  return { busy, failure: failure === null ? null : { text: failure }, send };
}

/** Closes a location for good, from a date on. */
export function ClosingDialog({ location, today, onClose }: Props) {
  const [text, setText] = useState<string>(today);
  const from = parseDate(text);
  const query = useRemaining(location.value, from);
  const left = query.data ? remainingWords(query.data) : null;
  const { busy, failure, send } = useSending((shut) => {
    toast({ text: `${location.label} is closed from ${shortDate(from ?? today)} on.` });
    shut();
  });
  return (
    <FormDialog
      title={`Close ${location.label} for good`}
      width="30rem"
      onClose={onClose}
      failure={failure}
      save="Close Location"
      unavailable={busy || from === null || left === null || left.blocks !== null}
      onSubmit={(shut) => from && send(() => closeFrom(location, from), shut)}
    >
      <DateField
        label="First day without it"
        value={text}
        min={today}
        data-autofocus=""
        hint="For a holiday or a storm, use “Close a location” in the menu instead."
        onDate={setText}
      />
      <LoadFailure what="what remains there" query={query} />
      <div aria-live="polite">
        {left?.blocks ? (
          <p>
            From that day on, {location.label} still has {left.blocks}. Move or cancel them first, or merge{' '}
            {location.label} into another location.
          </p>
        ) : null}
        {left?.stays ? (
          <p>
            {left.stays} will still be listed at {location.label}. You can move them in their profiles.
          </p>
        ) : null}
        {left ? <p className="muted">Its past days stay readable.</p> : null}
      </div>
    </FormDialog>
  );
}

/** Merges a location into another. */
export function MergeDialog({ location, list, today, onClose }: Props & { list: readonly ManagedLocation[] }) {
  const [into, setInto] = useState('');
  const [text, setText] = useState<string>(today);
  const from = parseDate(text);
  const others = list.filter((each) => each.value !== location.value && each.closed_from === null);
  const target = others.find(({ value }) => value === into);
  const query = useMergePreview(location.value, from && target ? { into, from } : null);
  const { busy, failure, send } = useSending((shut) => {
    toast({ text: `${location.label} was merged into ${target?.label ?? 'the other location'}.` });
    shut();
  });
  const refused = query.error ? { text: failureWords(query.error, 'the list') } : null;
  return (
    <FormDialog
      title={`Merge ${location.label} into another location`}
      width="32rem"
      onClose={onClose}
      failure={failure ?? refused}
      save="Merge"
      unavailable={busy || !query.data || query.isFetching}
      onSubmit={(shut) => from && send(() => mergeInto(location, into, from), shut)}
    >
      <Select label="Merge into" value={into} data-autofocus="" onChange={({ target: { value } }) => setInto(value)}>
        <option value="">Choose a location</option>
        <Options of={others.map(({ value, label }) => [value, label])} />
      </Select>
      <DateField
        label="First day at the other location"
        value={text}
        min={today}
        hint="People move at once, sessions from that day on. Earlier days stay where they were."
        onDate={setText}
      />
      <div aria-live="polite">
        {query.data && target ? (
          <p>
            Moves to {target.label}: {mergedWords(query.data)}. No one is called about it. This cannot be undone.
          </p>
        ) : null}
      </div>
    </FormDialog>
  );
}
