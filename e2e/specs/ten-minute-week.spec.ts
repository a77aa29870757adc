import type { SlotsReply, Therapist } from '@clinic/contract';
import { addDays, mondayOf, type IsoDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

// The week of a coordinator changes many dates, so it has a server of its own.
test.use({ serverFor: 'ten-minute-week' });

const LOCATION = 'altamonte';

/** The client and times of a direct session that its therapist has on this date and a week later, by the API. */
async function weeklySession(api: Api, date: IsoDate) {
  const on = async (day: IsoDate) =>
    (await api.get<SlotsReply>(`/slots?location=${LOCATION}&date=${day}`)).appointments;
  const textOf = (each: SlotsReply['appointments'][number]): string =>
    `${each['Client Name']} ${each.Preferred_Provider_Name} ${each.StartDateTime.split(', ')[1]}`;
  const later = new Set((await on(addDays(date, 7))).map(textOf));
  const found = (await on(date)).find(
    (each) =>
      each.service === 'direct' && /scheduled|confirmed/i.test(each.Appointment_Status) && later.has(textOf(each)),
  );
  if (!found) throw new Error(`no session repeats on ${date}`);
  return found;
}

/** Half an hour before a time of day. */
function earlier(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const at = hours * 60 + minutes - 30;
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
}

/**
 * What a coordinator knows before 7:00, done as somebody would who has not seen the product: every page is found by the
 * palette or by a link on the page before it.
 */
test('the week of a coordinator: a leave, a closed site, a Tuesday that moves for good, a new child, a holiday, and a parent who asks for Thursday', async ({
  page,
  request,
}) => {
  await signedIn(page);
  const api = await Api.signIn(request);
  const today = await api.today();
  const first = addDays(mondayOf(today), 14);
  const calendar = new Calendar(page);
  await calendar.open(`?location=${LOCATION}`);
  const find = async (words: string, choice: string | RegExp): Promise<void> => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Find' });
    await palette.getByRole('combobox').fill(words);
    await palette.getByRole('option', { name: choice }).click();
    await expect(palette).toHaveCount(0);
  };
  const message = (text: string | RegExp) => page.getByRole('status').getByText(text);

  await test.step('a leave of eight weeks, its standing replacement, and everybody to tell', async () => {
    const [person = ''] = await calendar.booked(2);
    await find(person, `Profile of ${person}`);
    await page.getByRole('button', { name: 'Add absence' }).click();
    const dialog = page.getByRole('dialog', { name: `${person}: absence` });
    await dialog.getByLabel('First day').fill(first);
    await dialog.getByRole('button', { name: 'Until a date' }).click();
    await dialog.getByLabel('Last day').fill(addDays(first, 53));
    // The demo's calendar ends within the leave, which would otherwise look cheap.
    await expect(dialog).toContainText('The calendar is filled until');
    await dialog.getByRole('button', { name: 'What would it cost?' }).click();
    await expect(dialog).toContainText('If nobody covers:');
    await dialog.getByRole('button', { name: 'Save absence' }).click();
    await message(`${person}’s absence is recorded.`).waitFor();
    await page.getByRole('button', { name: 'Who takes the sessions?' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`Who takes ${person}`);
    await expect(page.getByText('The calendar is filled until')).toBeVisible();
    await page.getByRole('button', { name: /^Submit (all \d+ sessions|1 session)$/ }).click();
    await message(/have a therapist\./)
      .or(message(/has a therapist\./))
      .waitFor();
    await page.getByRole('button', { name: 'Calls', exact: true }).click();
    await expect(page.getByText(/^(\d+ people|1 person) to tell$/).first()).toBeVisible();
    expect(new URL(page.url()).searchParams.get('date')).not.toBe(today);
  });

  await test.step('a site that is closed for a day', async () => {
    await find('close', 'Go to Close a location');
    await page.getByLabel('First day').fill(addDays(today, 8));
    await page.getByLabel('Name, as families will hear it').fill('a burst pipe');
    await page.getByRole('button', { name: /^Close Altamonte, \d+ sessions$/ }).click();
    await message(/Altamonte is closed: \d+ sessions cancelled/).waitFor();
  });

  await test.step('a holiday of the year ahead', async () => {
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Holidays' });
    await dialog.getByLabel('Day').fill(addDays(today, 200));
    await dialog.getByLabel('Name').fill('Founders’ Day');
    await dialog.getByRole('button', { name: 'Save 1 holiday' }).click();
    await expect(page.getByRole('region', { name: 'Closed locations and holidays' })).toContainText('Founders’ Day');
  });

  await test.step('an imported Tuesday moves for good', async () => {
    const tuesday = addDays(mondayOf(today), 8);
    const session = await weeklySession(api, tuesday);
    await calendar.open(`?location=${LOCATION}&date=${tuesday}&view=client&find=${session['Client Name']}`);
    const [start = '', end = ''] = [session.StartDateTime, session.EndDateTime].map(
      (each) => each.split(', ')[1] ?? '',
    );
    const dialog = await calendar.openSession(session['Client Name'], new RegExp(`${start} - ${end}`));
    await dialog.getByText(/This session repeats every week: \d+ of \d+ Tuesdays/).waitFor();
    await dialog.getByRole('button', { name: 'Make it a weekly series' }).click();
    await dialog.getByText(/^Change this and the following/).click();
    const to = dialog.getByLabel('To', { exact: true });
    await to.fill(earlier(await to.inputValue()));
    await dialog.getByRole('button', { name: /^Save \d+ Sessions$/ }).click();
    await message(/\d+ sessions are saved\./).waitFor();
  });

  await test.step('a new child with three sessions a week', async () => {
    await page.getByRole('link', { name: 'Profiles' }).click();
    await page.getByRole('button', { name: 'Clients' }).click();
    await page.getByRole('button', { name: 'Add Client' }).click();
    const dialog = page.getByRole('dialog', { name: 'New client' });
    await dialog.getByLabel('First name').fill('Milan');
    await dialog.getByLabel('Last name').fill('Novak');
    await dialog.getByLabel('Gender').first().selectOption('Male');
    await dialog.getByLabel('Location').selectOption('Altamonte');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByRole('button', { name: 'Find a time' }).click();
    await expect(page.getByRole('heading', { name: 'Find a time for Milan Novak' })).toBeVisible();
    await page.getByRole('button', { name: 'Book Option 1 as Series' }).click();
    await message(/\d+ sessions are booked\./).waitFor();
    await expect(page).toHaveURL(/calendar/);
  });

  await test.step('who comes on Thursday?', async () => {
    const therapists = await api.get<Therapist[]>(`/therapists?location=${LOCATION}`);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Find' });
    await palette.getByRole('combobox').fill('Who comes to Milan Novak on Thursday?');
    await expect(palette.getByRole('status').first()).toContainText('Milan Novak');
    await expect(palette).toContainText(
      new RegExp(therapists.map((each) => each.display_name).join('|') + '|No session'),
    );
  });
});
