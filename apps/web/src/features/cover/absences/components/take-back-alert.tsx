import { AlertDialog } from '../../../../shared/ui/dialog.tsx';

/** Asked before what was submitted is undone: by an absence that is removed, or that becomes shorter. */
export interface Question {
  title: string;
  /** What it would undo, as the server says it. */
  text: string;
  act: string;
  run: () => void;
}

export function TakeBackAlert({ question, onClose }: { question: Question; onClose: () => void }) {
  return (
    <AlertDialog
      title={question.title}
      width="32rem"
      onClose={onClose}
      keep="Keep it"
      acts={[
        {
          text: question.act,
          run: (close) => {
            close();
            question.run();
          },
        },
      ]}
    >
      {question.text}
    </AlertDialog>
  );
}
