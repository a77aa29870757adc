import type { Locator, Page } from '@playwright/test';

/** The calendar page; finds things by role and name. */
export class Calendar {
  readonly page: Page;
  readonly grid: Locator;
  readonly absencesButton: Locator;
  readonly panel: Locator;
  readonly modal: Locator;

  constructor(page: Page) {
    this.page = page;
    this.grid = page.getByRole('grid');
    this.absencesButton = page.getByRole('button', { name: /^Absences( \d+)?$/ });
    this.panel = page.getByRole('dialog', { name: /^Absences for / });
    this.modal = page.getByRole('dialog', { name: /^Schedule Solutions/ });
  }

  /** Opens the calendar and waits until the day is drawn. */
  async open(search = ''): Promise<void> {
    await this.page.goto(`/calendar${search}`);
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.grid.getByRole('rowheader').first().waitFor();
  }

  /** The name button of a person's row. */
  name(person: string): Locator {
    return this.grid.getByRole('rowheader').getByRole('button', { name: new RegExp(`^${person}\\b`) });
  }

  /** Names of all rows, top to bottom. */
  async names(): Promise<string[]> {
    return this.grid.locator('[data-name] > span:first-child').allTextContents();
  }

  row(person: string): Locator {
    return this.grid
      .getByRole('row')
      .filter({ has: this.page.getByRole('rowheader', { name: new RegExp(`^${person}\\b`) }) });
  }

  /** Names of people with at least `least` booked bars and no stored absence, for a test to use. */
  async booked(least = 1): Promise<string[]> {
    return this.grid.locator('[data-row]').evaluateAll(
      (rows, count) =>
        rows
          .filter((row) => row.querySelectorAll('[data-kind="booked"]').length >= count)
          .filter((row) => !/away/.test(row.querySelector('[data-name]')?.textContent ?? ''))
          .map((row) => row.querySelector('[data-name] > span')?.textContent ?? '')
          .filter((name) => name !== ''),
      least,
    );
  }

  /** Opens the dialog for a new session by its shortcut key. */
  async newSession(): Promise<Locator> {
    await this.page.keyboard.press('s');
    return this.page.getByRole('dialog', { name: /^New session, / });
  }

  /** Opens the dialog of a client's session from its bar, by keyboard. */
  async openSession(client: string, bar: string | RegExp): Promise<Locator> {
    await this.row(client).getByRole('button', { name: bar }).focus();
    await this.page.keyboard.press('Enter');
    return this.page.getByRole('dialog', { name: `Session of ${client}` });
  }

  /** An entry of the absences panel. */
  entry(person: string): Locator {
    return this.panel
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('heading', { name: person, exact: true }) });
  }
}
