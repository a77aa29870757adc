import { locationLabel, type Location } from '@clinic/domain';
import { useLocations } from '../session/session-info.ts';
import { Button } from './button.tsx';
import { Notice } from './states.tsx';

/**
 * Shown in place of a day that the account may not see. Names the location and offers a location that the account may
 * use.
 */
export function ForeignLocation({ location, onGo }: { location: Location; onGo: (location: Location) => void }) {
  const own = useLocations().filter(({ value }) => value !== location);
  return (
    <Notice
      tone="warn"
      title={`Your account does not include ${locationLabel(location)}.`}
      actions={own.slice(0, 1).map(({ value, label }) => (
        <Button key={value} onClick={() => onGo(value)}>
          Go to {label}
        </Button>
      ))}
    >
      Ask an administrator if you need it.
    </Notice>
  );
}
