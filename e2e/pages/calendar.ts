import type { Locator, Page } from '@playwright/test';

/** The calendar page; finds elements by role and name. */
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

  /** Opens the calendar and waits until its day is rendered. */
  async open(search = ''): Promise<void> {
    await this.page.goto(`/calendar${search}`);
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.grid.getByRole('rowheader').first().waitFor();
  }

  /** Saves the absences of the selected people, and waits for all options. */
  async saveAbsences(): Promise<void> {
    await this.absencesButton.click();
    await this.panel.getByRole('button', { name: 'Save Absences' }).click();
    await this.modal.waitFor();
    await this.modal.getByText('Finding more options…').first().waitFor({ state: 'detached' });
  }

  /** Closes the options, and waits until the page has loaded again. */
  async closeOptions(): Promise<void> {
    const reloaded = this.page.waitForEvent('load');
    await this.page.keyboard.press('Escape');
    await reloaded;
    await this.ready();
  }

  /** The button with a person's name, in their row. */
  name(person: string): Locator {
    return this.grid.getByRole('rowheader').getByRole('button', { name: new RegExp(`^${person}\\b`) });
  }

  /** The names of all rows, from the top. */
  async names(): Promise<string[]> {
    return this.grid.locator('[data-name] > span:first-child').allTextContents();
  }

  row(person: string): Locator {
    return this.grid
      .getByRole('row')
      .filter({ has: this.page.getByRole('rowheader', { name: new RegExp(`^${person}\\b`) }) });
  }

  /** The names of people with at least `least` bars and no recorded absence. */
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

  /** Opens the dialog for a new session with its keyboard shortcut. */
  async newSession(): Promise<Locator> {
    await this.page.keyboard.press('s');
    return this.page.getByRole('dialog', { name: /^New session, / });
  }

  /** Opens a session's dialog from its bar in the client's row, with the keyboard. */
  async openSession(client: string, bar: string | RegExp): Promise<Locator> {
    await this.row(client).getByRole('button', { name: bar }).focus();
    await this.page.keyboard.press('Enter');
    return this.page.getByRole('dialog', { name: `Session with ${client}` });
  }

  /** A person's entry in the absences panel. */
  entry(person: string): Locator {
    return this.panel
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('heading', { name: person, exact: true }) });
  }
}
