import { useId, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, type DialogProps } from './dialog.tsx';
import css from './form-dialog.module.css';
import { Notice } from './states.tsx';

/** A dialog around one form, with the buttons that save it and close it. */
export function FormDialog({
  failure,
  save = 'Save Changes',
  unavailable,
  onSubmit,
  children,
  over,
  ...dialog
}: Omit<DialogProps, 'children' | 'footer' | 'bar'> & {
  /** Why the form could not be saved; `means` says what that means, if it is known. */
  failure: { readonly text: string; readonly means?: string } | null;
  /** The label of the button that saves; null if there is nothing to save. */
  save?: string | null;
  unavailable: boolean;
  onSubmit: (close: () => void) => void;
  children: ReactNode;
  /** A question over the dialog. */
  over?: ReactNode;
}) {
  const id = useId();
  return (
    <Dialog
      {...dialog}
      bar={
        failure ? (
          <Notice tone="error" title={failure.text}>
            {failure.means}
          </Notice>
        ) : null
      }
      footer={(close) => (
        <>
          <span className="grow" />
          <Button onClick={close}>Close</Button>
          {save === null ? null : (
            <Button variant="primary" type="submit" form={id} unavailable={unavailable}>
              {save}
            </Button>
          )}
        </>
      )}
    >
      {(close) => (
        <>
          <form
            id={id}
            className={css.form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              onSubmit(close);
            }}
          >
            {children}
          </form>
          {over}
        </>
      )}
    </Dialog>
  );
}
