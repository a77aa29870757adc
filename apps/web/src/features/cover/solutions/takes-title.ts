/** The heading of what it would take to cover a stretch. `certain`: the search finished within its time. */
export function takesTitle({ possible, certain }: { possible: boolean; certain: boolean }): string {
  if (possible) return 'What it would take.';
  return certain ? 'No one can take this. Ask someone to stay late?' : 'No way found yet.';
}
