import type { APIRequestContext, Locator, Page } from '@playwright/test';
import type { ProposalReply } from '@clinic/contract';
import { addDays, findClashes, type IsoDate, type Location } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { signedIn } from '../fixtures/test.ts';

/**
 * Finds a clashing choice among the options on the page. The page's own reply is needed: a busy server may find
 * different options for each request.
 */
function shownClash(shown: ProposalReply, date: string) {
  const found = clashingChoice(shown, date);
  if (!found) throw new Error('no mix of the options shown clashes');
  return found;
}

/** A client with an option that clashes when everyone else has Option 1; undefined when there is none. */
function clashingChoice(proposal: ProposalReply, date: string) {
  const claims = proposal.metadata.claims[date] ?? {};
  const clients = Object.keys(proposal.data[date] ?? {});
  const base = Object.fromEntries(clients.map((client) => [client, 'Option 1']));
  for (const client of clients) {
    for (const option of Object.keys(proposal.data[date]?.[client] ?? {})) {
      const [clash] = findClashes(claims, { ...base, [client]: option });
      if (clash) return { client, option, clash, other: clash.clients.find((c) => c !== client) ?? '' };
    }
  }
  return undefined;
}

/**
 * Finds the first date, from `from` on, with options that satisfy `wanted`. On the first date tried, the three busiest
 * therapists are away; on each later date, one more. Each test has its own dates.
 */
async function proposalWith<T>(
  api: Api,
  from: IsoDate,
  location: Location,
  wanted: (proposal: ProposalReply, date: IsoDate) => T | undefined,
): Promise<{ date: IsoDate; proposal: ProposalReply; found: T }> {
  for (let i = 0; i < 6; i++) {
    const date = addDays(from, i);
    const proposal = await api.callOut(date, location, 3 + i);
    const found = wanted(proposal, date);
    if (found !== undefined) return { date, proposal, found };
  }
  throw new Error('no date of the demo clinic has such a proposal');
}

/** The Schedule Solutions modal; finds elements by role and name. */
export class OptionsModal {
  readonly page: Page;
  readonly modal: Locator;
  readonly mode: Locator;
  readonly table: Locator;
  readonly submit: Locator;
  readonly refresh: Locator;
  readonly alert: Locator;

  constructor(page: Page) {
    this.page = page;
    this.modal = page.getByRole('dialog', { name: /^Schedule Solutions/ });
    this.mode = this.modal.getByRole('switch', { name: 'Refresh Mode' });
    this.table = this.modal.getByRole('grid');
    this.submit = this.modal.getByRole('button', { name: 'Submit', exact: true });
    this.refresh = this.modal.locator('footer').getByRole('button', { name: 'Refresh', exact: true });
    this.alert = page.getByRole('alertdialog');
  }

  /** Opens the calendar at an address that opens the day's options, and returns the options. */
  async open(date: string, location: Location): Promise<ProposalReply> {
    const answered = this.page.waitForResponse((r) => r.url().endsWith('/api/proposals'));
    await this.page.goto(`/calendar?date=${date}&location=${encodeURIComponent(location)}&options=open`);
    const reply = (await (await answered).json()) as ProposalReply;
    await this.table.waitFor();
    return reply;
  }

  rows(client: string): Locator {
    return this.table
      .getByRole('rowgroup')
      .filter({ has: this.page.getByRole('rowheader', { name: nameOfRow(client) }) })
      .getByRole('row');
  }

  /** The cell of an option (counted from 1) in one of a client's rows (counted from 0). */
  cell(client: string, option: number, row = 0): Locator {
    return this.rows(client)
      .nth(row)
      .getByRole('gridcell')
      .nth(option - 1);
  }

  pick(client: string, option: number): Locator {
    return this.cell(client, option).locator('button[aria-pressed]');
  }
}

/** A location, and a date that lies `after` days after today. */
interface Place {
  at: Location;
  after: number;
}

/**
 * Makes `away` therapists absent on a day, logs in and opens the day's options; `proposal` is the reply that the page
 * shows.
 */
export async function openOptions(page: Page, request: APIRequestContext, { at, after }: Place, away: number) {
  const api = await Api.signIn(request);
  const date = addDays(await api.today(), after);
  await api.callOut(date, at, away);
  await signedIn(page);
  const view = new OptionsModal(page);
  return { api, at, date, view, proposal: await view.open(date, at) };
}

/**
 * Opens the options of the first day, at least `after` days from today, on which some mix of options clashes; also
 * returns the mix.
 */
export async function openClash(page: Page, request: APIRequestContext, { at, after }: Place) {
  const api = await Api.signIn(request);
  const { date } = await proposalWith(api, addDays(await api.today(), after), at, clashingChoice);
  await signedIn(page);
  const view = new OptionsModal(page);
  const found = shownClash(await view.open(date, at), date);
  return { date, view, found };
}

/** Matches a client's row header, but not the row header of a group whose name contains the client's name. */
const nameOfRow = (client: string): RegExp =>
  new RegExp(`^${client.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}( ?, kept as you chose)? \\d`);

export const optionNumber = (name: string): number => Number(name.replace('Option ', ''));
