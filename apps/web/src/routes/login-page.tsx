import { LoginForm } from '../features/session/login-form.tsx';

/** Once a sign-in stores the token, the guard moves on to the next page: see guard.ts. */
export function LoginPage() {
  return <LoginForm />;
}
