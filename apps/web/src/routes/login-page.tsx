import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { LoginForm } from '../features/login/login-form.tsx';
import { safeNext } from './guard.ts';

export function LoginPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const { next } = useSearch({ from: '/login' });
  return (
    <LoginForm
      onDone={() => {
        const wanted = safeNext(next);
        if (wanted === null) void navigate({ to: '/calendar', replace: true });
        else router.history.replace(wanted);
      }}
    />
  );
}
