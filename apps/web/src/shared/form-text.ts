/** What was typed into a form's field; empty when the form has no such text field. */
export function formText(form: FormData, name: string): string {
  const entry = form.get(name);
  return typeof entry === 'string' ? entry : '';
}
