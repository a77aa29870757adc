import { LoginForm } from '../features/session/login-form.tsx';

/** The login page. Once the token is stored, the routing opens the next page. */
export function LoginPage() {
  return <LoginForm />;
}
