import type { Account } from '@clinic/contract';

export type Rights = Pick<Account, 'role' | 'locations'>;

/** Whether the account reads and changes nothing. */
export const onlyReads = (account: Pick<Account, 'role'> | undefined): boolean =>
  account?.role === 'director' || account?.role === 'viewer';

/** Whether `ReaderBar` has said that nothing may be changed here, for what runs outside React. */
export const isReader = (): boolean => 'reads' in document.documentElement.dataset;

/** Whether the account may change what concerns every location: limits, payers, causes and imports. */
export const managesClinic = (account: Rights | undefined): boolean =>
  account?.role === 'admin' && account.locations === null;
