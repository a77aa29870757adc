import { useState } from 'react';
import type { LossBody, SeriesReply } from '@clinic/contract';
import { LossFields } from '../../../shared/causes/loss-fields.tsx';
import { AlertDialog } from '../../../shared/ui/dialog.tsx';
import { cancelQuestion, type Scope, type SessionSource } from '../model.ts';

/** Asks before a session is cancelled. For a session in a series, also asks whether to cancel the later ones. */
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
  onCancel: (loss: LossBody | undefined) => void;
}) {
  const [loss, setLoss] = useState<LossBody>();
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
            onCancel(loss);
          },
        },
      ]}
    >
      <p className="muted">{which}</p>
      <LossFields value={loss} side="family" name={source.client} onChange={setLoss} />
    </AlertDialog>
  );
}
