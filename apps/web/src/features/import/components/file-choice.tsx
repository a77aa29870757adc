import { useId, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { FieldError } from '../../../shared/ui/field.tsx';
import { problemOfFile, sizeInWords, type ChosenFile } from '../model.ts';
import css from './imports.module.css';

/** The field where an administrator chooses or drops an export's file, sees its name and size, or removes it. */
export function FileChoice({
  label,
  columns,
  file,
  unavailable,
  closed,
  onChoose,
  onRemove,
}: {
  label: string;
  columns: string;
  file: ChosenFile | undefined;
  unavailable: boolean;
  /** Whether the files have been imported, so no file can be chosen anymore. */
  closed: boolean;
  onChoose: (file: ChosenFile) => void;
  onRemove: () => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { problem, setProblem, take } = useTaking(onChoose, unavailable || closed);
  return (
    <section
      className={css.choice}
      aria-labelledby={`${id}-label`}
      data-chosen={file ? '' : undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void take(event.dataTransfer.files[0]);
      }}
    >
      <h2 id={`${id}-label`}>{label}</h2>
      {file ? (
        <p className={css.file}>
          <b>{file.name}</b> <span className="small muted">{sizeInWords(file.bytes.size)}</span>
        </p>
      ) : (
        <p className="small muted" id={`${id}-columns`}>
          {columns}
        </p>
      )}
      {problem ? <FieldError announce>{problem}</FieldError> : null}
      <div className={css.acts} hidden={closed}>
        <Button unavailable={unavailable} onClick={() => input.current?.click()}>
          {file ? 'Choose another file' : 'Choose a file'}
          <span className="sr"> of {label.toLowerCase()}</span>
        </Button>
        {file ? (
          <Button
            variant="link"
            unavailable={unavailable}
            onClick={() => {
              setProblem(null);
              onRemove();
            }}
          >
            Remove<span className="sr"> {file.name}</span>
          </Button>
        ) : (
          <span className="small muted">or drop it here</span>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label} file`}
        accept=".csv,.tsv,.txt,.xlsx,.xlsm,.xlsb,.xls,.ods"
        onChange={(event) => {
          void take(event.target.files?.[0]);
          // Lets the administrator choose the same file again after correcting it.
          event.target.value = '';
        }}
      />
    </section>
  );
}

/** Accepts a chosen or dropped file, or says what is wrong with it. */
function useTaking(onChoose: (file: ChosenFile) => void, refused: boolean) {
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (given: File | undefined): Promise<void> => {
    if (!given || refused) return;
    const wrong = problemOfFile(given);
    setProblem(wrong && `${given.name}: ${wrong}`);
    if (wrong) return;
    try {
      onChoose({ name: given.name, bytes: new Blob([await given.arrayBuffer()]) });
    } catch {
      setProblem(`${given.name} could not be read. Close it in other programs and choose it again.`);
    }
  };
  return { problem, setProblem, take };
}
