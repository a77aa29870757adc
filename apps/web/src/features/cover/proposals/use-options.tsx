import { useState, type ReactNode } from 'react';
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
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ error: unknown; of: OptionsDay; wish: Wish } | null>(null);
  const solve = async (of: OptionsDay, wish: Wish): Promise<void> => {
    setBusy(true);
    setFailed(null);
    try {
      // Reading options is not in the first load.
      const [{ wholeProposal }, reply] = await Promise.all([
        import('../../../shared/api/whole-proposal.ts'),
        call(proposalsEndpoints.propose, { body: { location: of.location, dates: [of.date], ...wish } }),
      ]);
      onReply(wholeProposal(reply), of);
    } catch (error) {
      setFailed({ error, of, wish });
    } finally {
      setBusy(false);
    }
  };
  const send = (wish: Wish): void => {
    if (date !== null && !busy) void solve({ location, date }, wish);
  };
  const ask = (choose?: ChosenOne): void => send(choose ? { choose } : {});
  /** `ready`: options found already, shown without solving again. */
  const askTo = (keep: Keep, ready?: ProposalReply): void => {
    if (!ready) send({ keep });
    else if (date !== null) onReply(ready, { location, date });
  };
  // On another day, the failure would seem to be about that day.
  const failure =
    failed?.of.location === location && failed.of.date === date ? (
      <Notice
        tone="error"
        title={`Could not find options: ${saidWords(failed.error)}`}
        actions={
          <>
            <Button onClick={() => send(failed.wish)}>Try again</Button>
            <Button variant="ghost" onClick={() => setFailed(null)}>
              Dismiss
            </Button>
          </>
        }
      >
        The absences are saved. Nothing else changed.
      </Notice>
    ) : null;
  return { ask, askTo, busy, failure };
}
