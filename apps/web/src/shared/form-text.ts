/** The text typed into a form field; empty when the form has no such field. */
export function formText(form: FormData, name: string): string {
  const entry = form.get(name);
  return typeof entry === 'string' ? entry : '';
}
