import { Chip } from './states.tsx';

/** The status of a table row's entry: `Active`, or the word in `unless`, such as `Disabled`. */
export const ActiveChip = ({ unless }: { unless: string | false }) =>
  unless === false ? (
    <Chip tone="ok" icon="check">
      Active
    </Chip>
  ) : (
    <Chip icon="slash">{unless}</Chip>
  );
