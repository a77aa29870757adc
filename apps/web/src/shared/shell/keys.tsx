/** Shows a shortcut's keys: `g c` as two keys in turn, `Ctrl+K` as keys pressed together. */
export const Keys = ({ keys }: { keys: string }) => (
  <>
    {keys.split(/[ +]/).map((key, index) => (
      <span key={index}>
        {index > 0 ? ' ' : ''}
        <kbd>{key}</kbd>
      </span>
    ))}
  </>
);
