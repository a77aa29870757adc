import type { SeriesReply } from '@clinic/contract';
import { AlertDialog } from '../../../shared/ui/dialog.tsx';
import { cancelQuestion, type Scope, type SessionSource } from '../model.ts';

/** The question before a session is cancelled: which one, when, and whether the rest of its series goes too. */
export function CancelAlert({
  source,
  series,
  scope,
  onClose,
  onCancel,
}: {
  source: SessionSource;
  series: SeriesReply | undefined;
  scope: Scope;
  onClose: () => void;
  onCancel: () => void;
}) {
  const { title, which, keep, cancel } = cancelQuestion(source, series, scope);
  return (
    <AlertDialog
      title={title}
      width="30rem"
      onClose={onClose}
      keep={keep}
      acts={[
        {
          text: cancel,
          danger: true,
          run: (close) => {
            close();
            onCancel();
          },
        },
      ]}
    >
      <p className="muted">{which}</p>
    </AlertDialog>
  );
}
