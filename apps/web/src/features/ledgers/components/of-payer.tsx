/** A field's label in the form of one payer. Only screen readers need the payer's name, which stands beside the fields. */
export const OfPayer = ({ name, label }: { name: string; label: string }) => (
  <>
    <span className="sr">{name}: </span>
    {label}
  </>
);
