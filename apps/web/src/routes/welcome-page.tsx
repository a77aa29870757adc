import { WelcomeForm } from '../features/session/welcome-form.tsx';

/** Where the link of an invitation leads. */
export function WelcomePage() {
  return <WelcomeForm />;
}
