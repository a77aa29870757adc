/** Saves a file to the person's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Long enough for the browser to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
