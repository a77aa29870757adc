import { useSyncExternalStore } from 'react';
import { AlertDialog } from '../ui/dialog.tsx';
import { getQuestion, onQuestion } from './guards.ts';

/** The question asked before edits are discarded, on any page. */
export function UnsavedQuestion() {
  const question = useSyncExternalStore(onQuestion, getQuestion);
  if (!question) return null;
  return (
    <AlertDialog
      title="Leave without saving?"
      width="30rem"
      onClose={question.keep}
      keep="Keep editing"
      acts={[{ text: 'Discard changes', danger: true, run: question.discard }]}
    >
      {question.about === undefined ? undefined : <p className="muted">{question.about}</p>}
    </AlertDialog>
  );
}
