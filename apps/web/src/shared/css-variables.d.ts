import 'react';

// Custom properties may be set by `style`; React writes them through the CSSOM, which a strict CSP allows.
declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined;
  }
}
