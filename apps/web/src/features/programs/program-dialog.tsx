import { RECORD_SCOPES, type RecordScope, type ServiceAccount } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import { StaleAlert } from '../../shared/edits/stale-alert.tsx';
import { useVersioned, type Versioned } from '../../shared/edits/use-versioned.ts';
import { Checkbox, Input } from '../../shared/ui/field.tsx';
import { FormDialog } from '../../shared/ui/form-dialog.tsx';
import { toast } from '../../shared/ui/toast.tsx';
import { reloadProgram, saveProgram } from './api.ts';
import { Choices, Places } from './choices.tsx';
import css from './programs.module.css';

interface ProgramForm {
  readonly name: string;
  readonly scopes: readonly RecordScope[];
  readonly locations: readonly Location[] | null;
  readonly keys: string;
  readonly disabled: boolean;
}

const LABELS = {
  name: 'Name',
  scopes: 'May read',
  locations: 'Locations',
  keys: 'Public key (JWK or JWK set)',
  disabled: 'Ended',
} as const;

const SCOPES: Readonly<Record<RecordScope, string>> = {
  'fhir.read': 'Sessions, people and free times (FHIR)',
  'changes.read': 'Which records have changed',
};
const CHOICES = RECORD_SCOPES.map((scope) => [scope, SCOPES[scope]] as const);

export const scopeWords = (scope: string): string => CHOICES.find(([each]) => each === scope)?.[1] ?? scope;

const storedAs = (program: ServiceAccount | null): Versioned<ProgramForm> => ({
  version: String(program?.version ?? ''),
  form: {
    name: program?.name ?? '',
    scopes: program ? RECORD_SCOPES.filter((scope) => program.scopes.includes(scope)) : RECORD_SCOPES,
    locations: program?.locations ?? null,
    keys: '',
    disabled: program?.disabled ?? false,
  },
});

/** The dialog that adds a service account, or changes or ends one. */
export function ProgramDialog({ program, onClose }: { program: ServiceAccount | null; onClose: () => void }) {
  const { form, busy, failure, edit, save, stale, mayClose, leave } = useVersioned(storedAs(program), {
    labels: LABELS,
    key: `program:${program?.id ?? 'new'}`,
    about: program ? `Your changes to ${program.name} are not saved yet.` : 'The program has not been added yet.',
    look: 'the list',
    newest: async () => {
      const newest = program && (await reloadProgram(program.id));
      return newest ? storedAs(newest) : null;
    },
  });
  const submit = (close: () => void): Promise<boolean> =>
    save(async ({ version, form: { name, scopes, locations, keys, disabled } }) => {
      const body = {
        name: name.trim(),
        scopes: [...scopes],
        locations: locations && [...locations],
        keys: keys.trim(),
      };
      const saved = await saveProgram(program, body, { disabled, version: Number(version) });
      toast({ text: program ? `${saved.name} is saved` : `${saved.name} may log in from now on` });
      leave(close);
      return null;
    });
  const isWhole = form.name.trim() !== '' && form.scopes.length > 0 && (program !== null || form.keys.trim() !== '');
  return (
    <FormDialog
      title={program?.name ?? 'New program'}
      width="34rem"
      onClose={onClose}
      mayClose={mayClose}
      failure={failure === null ? null : { text: failure }}
      unavailable={busy || !isWhole}
      onSubmit={(close) => void submit(close)}
      over={program && stale ? <StaleAlert name={program.name} {...stale} /> : null}
    >
      <Input
        label={LABELS.name}
        value={form.name}
        maxLength={80}
        data-autofocus=""
        onChange={({ target }) => edit({ name: target.value })}
      />
      <Choices legend={LABELS.scopes} of={CHOICES} chosen={form.scopes} onChange={(scopes) => edit({ scopes })} />
      <Places locations={form.locations} onChange={(locations) => edit({ locations })} />
      <Input
        label={LABELS.keys}
        hint={
          program
            ? 'Leave empty to keep the keys. New keys replace them, and end the tokens of the old ones.'
            : 'For RS384 or ES384. The private key stays with the program.'
        }
        value={form.keys}
        autoComplete="off"
        onChange={({ target }) => edit({ keys: target.value })}
      />
      {program ? (
        <label className={css.all}>
          <Checkbox checked={form.disabled} onChange={({ target }) => edit({ disabled: target.checked })} />
          Ended: it may read nothing more
        </label>
      ) : null}
    </FormDialog>
  );
}
