import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { router } from './router.tsx';
import { queryClient } from './shared/api/query-client.ts';
import { startSession } from './shared/session/session-store.ts';
import { applyTheme, savedTheme } from './shared/storage/keys.ts';

// The login state is decided before anything renders (ROUTE-03).
applyTheme(savedTheme());
startSession();

const root = document.getElementById('app');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
