import { endSession } from '../../../shared/session/session-store.ts';
import { Button } from '../../../shared/ui/button.tsx';

/** The way to the login when one's own is no longer taken; what was typed is there after it. */
export const LogIn = () => <Button onClick={() => endSession('refused')}>Log in</Button>;
