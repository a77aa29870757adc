import { managesClinic, onlyReads, type Rights } from '../session/manages-clinic.ts';

/** A page that is not in the sidebar (ROUTE-06). */
export interface Place {
  label: string;
  to: string;
  /** Set for pages about the product itself, not about the clinic's work. */
  rules?: true;
}

/** One page shows all ledgers, each at its own path. */
export const LEDGERS = ['hours', 'care', 'supervision', 'authorizations'] as const;
export const ledgerPath = (ledger: (typeof LEDGERS)[number]): string => `/ledgers/${ledger}`;

const ALL_LEDGERS: Place = {
  label: 'Hours & authorizations',
  to: ledgerPath('hours'),
};
export const SCHEDULER: Place = {
  label: 'Cancel a child’s week',
  to: '/scheduler',
};
const REPORTS: Place = { label: 'Reports', to: '/reports' };
const TRAIL: Place = { label: 'Who did what', to: '/audit', rules: true };
interface AdminPlace extends Place {
  /** Set for pages that concern every location, and so need access to all of them. */
  everywhere?: true;
}
const FOR_ADMINS: readonly AdminPlace[] = [
  { label: 'Import', to: '/import', everywhere: true },
  { label: 'Export', to: '/export', everywhere: true },
  { label: 'Accounts', to: '/accounts', rules: true },
  { label: 'Locations', to: '/locations', everywhere: true, rules: true },
  {
    label: 'Reasons',
    to: '/causes',
    everywhere: true,
    rules: true,
  },
  { label: 'Other programs', to: '/programs', everywhere: true, rules: true },
  TRAIL,
];
/** Whether a page is only for changes. Links to it are hidden from directors and viewers, and it is closed to them. */
export const isForChanges = (path: string): boolean =>
  /^\/(closures|find-a-time|leave|make-up|meeting|scheduler|series|standing)\b/.test(path);

/** Pages on which somebody changes something; directors and viewers are not led there. */
const FOR_CHANGES: readonly Place[] = [
  SCHEDULER,
  { label: 'Find a time', to: '/find-a-time' },
  { label: 'Close a location', to: '/closures' },
  { label: 'Plan a meeting', to: '/meeting' },
  { label: 'Weekly series', to: '/series' },
];

/** The pages in the account menu and on the Today page. */
export const placesFor = (account: Rights | undefined): readonly Place[] => [
  ALL_LEDGERS,
  REPORTS,
  ...(onlyReads(account) ? [] : FOR_CHANGES),
  ...(account?.role === 'director' ? [TRAIL] : []),
  ...(account?.role === 'admin' ? FOR_ADMINS.filter((place) => !place.everywhere || managesClinic(account)) : []),
];
