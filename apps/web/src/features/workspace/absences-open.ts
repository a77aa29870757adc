/** What an address says to open the calendar with its absences panel. */
export const ABSENCES_OPEN = { absences: 'open' } as const;
