import { useState, type ReactNode } from 'react';
import { useMutation } from '@tanstack/react-query';
import { proposalsEndpoints, type BodyOf, type ProposalReply } from '@clinic/contract';
import type { IsoDate, Location } from '@clinic/domain';
import { call } from '../../../shared/api/client.ts';
import { saidWords } from '../../../shared/api/failure-words.ts';
import type { ChosenOne } from '../../../shared/choices/use-session-choices.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { Keep } from '../keep.ts';
import type { OptionsDay } from '../use-still-shown.ts';
import { Notice } from '../../../shared/ui/states.tsx';

type Wish = Pick<BodyOf<typeof proposalsEndpoints.propose>, 'keep' | 'choose'>;

/**
 * Opens the options again by solving the day with all its recorded absences and unassigned sessions. `onReply` gets the
 * day that was asked about: the coordinator may have gone to another one meanwhile.
 */
export function useOptions(
  location: Location,
  date: IsoDate | null,
  onReply: (reply: ProposalReply, of: OptionsDay) => void,
): {
  ask: (choose?: ChosenOne) => void;
  askTo: (keep: Keep, ready?: ProposalReply) => void;
  busy: boolean;
  failure: ReactNode;
} {
  const [hidden, setHidden] = useState(false);
  const propose = useMutation({
    mutationFn: async ({ of, ...wish }: Wish & { of: OptionsDay }) => {
      // Reading options is not in the first load.
      const [{ wholeProposal }, reply] = await Promise.all([
        import('../../../shared/api/whole-proposal.ts'),
        call(proposalsEndpoints.propose, { body: { location: of.location, dates: [of.date], ...wish } }),
      ]);
      return wholeProposal(reply);
    },
    onSuccess: (reply, { of }) => onReply(reply, of),
  });
  const send = (wish: Wish): void => {
    if (date === null || propose.isPending) return;
    setHidden(false);
    propose.mutate({ of: { location, date }, ...wish });
  };
  const ask = (choose?: ChosenOne): void => send(choose ? { choose } : {});
  /** `ready`: options found already, shown without solving again. */
  const askTo = (keep: Keep, ready?: ProposalReply): void => {
    if (!ready) send({ keep });
    else if (date !== null) onReply(ready, { location, date });
  };
  const { of, ...failed } = propose.variables ?? {};
  // On another day, the failure would seem to be about that day.
  const isShown = of?.location === location && of.date === date;
  const failure =
    propose.isError && isShown && !hidden ? (
      <Notice
        tone="error"
        title={`Could not find options: ${saidWords(propose.error)}`}
        actions={
          <>
            <Button onClick={() => send(failed)}>Try again</Button>
            <Button variant="ghost" onClick={() => setHidden(true)}>
              Dismiss
            </Button>
          </>
        }
      >
        The absences are saved. Nothing else changed.
      </Notice>
    ) : null;
  return { ask, askTo, busy: propose.isPending, failure };
}
