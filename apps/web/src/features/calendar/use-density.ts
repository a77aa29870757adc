import { useState } from 'react';

/** How high rows are. */
export type Density = 'compact' | 'roomy';

const KEY = 'density';

function saved(): Density {
  try {
    return localStorage.getItem(KEY) === 'roomy' ? 'roomy' : 'compact';
  } catch {
    return 'compact';
  }
}

/** How high rows are, and a function that changes it; this computer remembers it. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useState(saved);
  return [
    density,
    (next) => {
      setDensity(next);
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // lasts for this visit only
      }
    },
  ];
}
