import { LoginForm } from '../features/session/login-form.tsx';

/** The login page. Once the token is stored, guard.ts leads on to the next page. */
export function LoginPage() {
  return <LoginForm />;
}
