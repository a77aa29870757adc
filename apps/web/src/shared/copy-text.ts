import { toast } from './ui/toast.tsx';

/** Copies a text, and says whether it was copied: a browser may refuse. */
export function copyText(text: string, copied: string, notCopied: string): void {
  navigator.clipboard.writeText(text).then(
    () => toast({ text: copied }),
    () => toast({ tone: 'warn', text: notCopied }),
  );
}
