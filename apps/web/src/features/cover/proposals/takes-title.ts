/** The title above the list of ways to cover an uncovered session. `certain`: the search finished in time. */
export function takesTitle({ possible, certain }: { possible: boolean; certain: boolean }): string {
  if (possible) return 'What it would take.';
  return certain ? 'No one can take this.' : 'No solution found yet.';
}
