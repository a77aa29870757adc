import type { IsoDate } from '@clinic/domain';
import { Button } from '../../shared/ui/button.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { useOpening } from '../../shared/ui/use-opening.ts';

const AuditorDialog = lazyPart(() => import('./auditor-dialog.tsx').then((m) => m.AuditorDialog));

/** Opens the dialog that makes the file an auditor asks for about a client. */
export function AuditorButton({ id, name, today }: { id: string; name: string; today: IsoDate }) {
  const [opened, open, end] = useOpening<true>();
  const close = (): void => end(opened?.key ?? 0);
  return (
    <>
      <Button data-writes onClick={() => open(true)}>
        File for an auditor
      </Button>
      {opened ? (
        <AuditorDialog key={opened.key} id={id} name={name} today={today} onClose={close} onLoadError={close} />
      ) : null}
    </>
  );
}
