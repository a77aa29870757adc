import { useState } from 'react';
import type { Density } from './components/calendar-grid.tsx';

const KEY = 'density';

function saved(): Density {
  try {
    return localStorage.getItem(KEY) === 'roomy' ? 'roomy' : 'compact';
  } catch {
    return 'compact';
  }
}

/** How high rows are; remembered on this machine. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useState(saved);
  return [
    density,
    (next) => {
      setDensity(next);
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // for this visit only
      }
    },
  ];
}
