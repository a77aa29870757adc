/** The title above the ways to cover a time that no one covers. `certain`: the search finished in time. */
export function takesTitle({ possible, certain }: { possible: boolean; certain: boolean }): string {
  if (possible) return 'What it would take.';
  return certain ? 'No one can take this. Ask someone to stay late?' : 'No solution found yet.';
}
