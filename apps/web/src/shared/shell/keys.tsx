/** Shows the keys of a shortcut: `g c` one after the other, `Ctrl+K` together. */
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
