import { WelcomeForm } from '../features/session/welcome-form.tsx';

/** The page that an invitation link opens. */
export function WelcomePage() {
  return <WelcomeForm />;
}
