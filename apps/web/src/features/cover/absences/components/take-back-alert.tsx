import { AlertDialog } from '../../../../shared/ui/dialog.tsx';

/** The question asked when removing or shortening an absence would undo a commit. */
export interface Question {
  title: string;
  /** What would be undone, in the server's words. */
  text: string;
  /** The buttons that remove or shorten the absence anyway. */
  acts: readonly { text: string; run: () => void }[];
}

export function TakeBackAlert({ question, onClose }: { question: Question; onClose: () => void }) {
  return (
    <AlertDialog
      title={question.title}
      width="36rem"
      onClose={onClose}
      keep="Not now"
      acts={question.acts.map(({ text, run }) => ({
        text,
        run: (close) => {
          close();
          run();
        },
      }))}
    >
      {question.text}
    </AlertDialog>
  );
}
