/**
 * A field's label in the form of one payer. The payer's name is only for screen readers, since it is visible beside the
 * fields.
 */
export const OfPayer = ({ name, label }: { name: string; label: string }) => (
  <>
    <span className="sr">{name}: </span>
    {label}
  </>
);
