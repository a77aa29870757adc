/** The title above what it would take to cover a time. `certain`: the search finished before its time was up. */
export function takesTitle({ possible, certain }: { possible: boolean; certain: boolean }): string {
  if (possible) return 'What it would take.';
  return certain ? 'No one can take this. Ask someone to stay late?' : 'No way found yet.';
}
