import '@fontsource-variable/instrument-sans/wdth.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, startRouting } from './app.tsx';
import { startLocations } from './shared/clinic-locations.ts';
import { startSession } from './shared/session/session-store.ts';
import { applyTheme, savedTheme } from './shared/storage/keys.ts';

applyTheme(savedTheme());
// Decides whether the user is logged in, and so which page to show, before anything renders (ROUTE-03).
startLocations();
startSession();
startRouting();

const root = document.getElementById('app');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
