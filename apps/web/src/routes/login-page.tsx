import { LoginForm } from '../features/session/login-form.tsx';

/** The token that a login keeps leads on by itself: see guard.ts. */
export function LoginPage() {
  return <LoginForm />;
}
