import 'react';

// Allows CSS variables in `style`. React sets them by script, which a strict content security policy permits.
declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
