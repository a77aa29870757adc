import { useState } from 'react';

/** The height of the rows. */
export type Density = 'compact' | 'roomy';

/** The height of the rows of a day, or of the dates of a week. */
export type RowHeight = Density | 'week';

const KEY = 'density';

function saved(): Density {
  try {
    return localStorage.getItem(KEY) === 'roomy' ? 'roomy' : 'compact';
  } catch {
    return 'compact';
  }
}

/** The rows' height and a function that changes it. The choice is remembered on this computer. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useState(saved);
  return [
    density,
    (next) => {
      setDensity(next);
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // Without storage, the choice lasts for this visit only.
      }
    },
  ];
}
