import { Chip } from './states.tsx';

/** Whether what a row shows is active; otherwise the word for what it is instead: `Disabled`. */
export const ActiveChip = ({ unless }: { unless: string | false }) =>
  unless === false ? (
    <Chip tone="ok" icon="check">
      Active
    </Chip>
  ) : (
    <Chip icon="slash">{unless}</Chip>
  );
