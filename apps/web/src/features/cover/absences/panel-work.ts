import type { QueryClient } from '@tanstack/react-query';

/** Marks the requests whose outcome the absences panel shows. */
export const PANEL_WORK = ['absences-panel'] as const;

/** Whether such a request is under way. The panel then stays open, since its outcome would have no place otherwise. */
export const isPanelAtWork = (queries: QueryClient): boolean => queries.isMutating({ mutationKey: PANEL_WORK }) > 0;
