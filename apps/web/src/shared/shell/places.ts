import { managesClinic, type Rights } from '../session/manages-clinic.ts';

/** A page that is not in the sidebar (ROUTE-06). */
export interface Place {
  label: string;
  to: string;
  /** What users do on the page, in words. */
  what: string;
  /** Set for pages about the product itself, not about the clinic's work. */
  rules?: true;
}

/** One page shows all ledgers, each at its own path. */
export const LEDGERS = ['hours', 'care', 'supervision', 'authorizations'] as const;
export const ledgerPath = (ledger: (typeof LEDGERS)[number]): string => `/ledgers/${ledger}`;

const ALL_LEDGERS: Place = {
  label: 'Hours & authorizations',
  to: ledgerPath('hours'),
  what: 'Care and supervision, too',
};
export const SCHEDULER: Place = {
  label: 'Cancel a child’s week',
  to: '/scheduler',
  what: 'Some or all sessions',
};
const REPORTS: Place = { label: 'Reports', to: '/reports', what: 'Hours kept and lost' };
interface AdminPlace extends Place {
  /** Set for pages that concern every location, and so need access to all of them. */
  everywhere?: true;
}
const FOR_ADMINS: readonly AdminPlace[] = [
  { label: 'Import', to: '/import', what: 'People and appointments', everywhere: true },
  { label: 'Accounts', to: '/accounts', what: 'Who can log in', rules: true },
  {
    label: 'Reasons',
    to: '/causes',
    what: 'Why people are away or cancel',
    everywhere: true,
    rules: true,
  },
  { label: 'Who did what', to: '/audit', what: 'Every view and change', rules: true },
];

/** The pages in the account menu and on the Today page. */
export const placesFor = (account: Rights | undefined): readonly Place[] => [
  ALL_LEDGERS,
  REPORTS,
  SCHEDULER,
  { label: 'Close a location', to: '/closures', what: 'Closures and holidays' },
  ...(account?.role === 'admin' ? FOR_ADMINS.filter((place) => !place.everywhere || managesClinic(account)) : []),
];
