import { endSession } from '../../../shared/session/session-store.ts';
import { Button } from '../../../shared/ui/button.tsx';

/** The button to log in when the session has ended; what was typed is still there afterwards. */
export const LogIn = () => <Button onClick={() => endSession('refused')}>Log in</Button>;
