import { useSyncExternalStore } from 'react';
import { AlertDialog } from '../ui/dialog.tsx';
import { getQuestion, onQuestion } from './guards.ts';

const ENGLISH = { title: 'Leave without saving?', keep: 'Keep editing', discard: 'Discard changes' };

/** The question asked before edits are discarded, on any page. */
export function UnsavedQuestion() {
  const question = useSyncExternalStore(onQuestion, getQuestion);
  if (!question) return null;
  const { words = ENGLISH } = question;
  return (
    <AlertDialog
      title={words.title}
      width="30rem"
      onClose={question.keep}
      keep={words.keep}
      acts={[{ text: words.discard, danger: true, run: question.discard }]}
    >
      {question.about === undefined ? undefined : <p className="muted">{question.about}</p>}
    </AlertDialog>
  );
}
