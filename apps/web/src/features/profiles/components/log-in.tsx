import { endSession } from '../../../shared/session/session-store.ts';
import { Button } from '../../../shared/ui/button.tsx';

/** The login button shown after the login session has ended. Unsaved edits are still there after the login. */
export const LogIn = () => <Button onClick={() => endSession('refused')}>Log in</Button>;
