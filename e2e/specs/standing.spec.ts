import type { SlotsReply, StandingReply, Therapist } from '@clinic/contract';
import { addDays, mondayOf, type IsoDate } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expectAccessibleInBothThemes } from '../fixtures/axe.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';

// A replacement changes many dates, so these tests have a server of their own.
test.use({ serverFor: 'standing' });

const LOCATION = 'tampa';

/** A therapist whose sessions of two weeks can be replaced, in as many ways as the clinic offers. */
async function replaceable(api: Api, from: IsoDate, until: IsoDate): Promise<{ id: string; reply: StandingReply }> {
  const therapists = await api.get<Therapist[]>(`/therapists?location=${LOCATION}`);
  let best: { id: string; reply: StandingReply } | null = null;
  for (const { id } of therapists) {
    const { status, body } = await api.send<StandingReply>('POST', '/standing', {
      location: LOCATION,
      therapist: id,
      from,
      until,
    });
    if (status !== 200 || body.options.length === 0) continue;
    if (!best || body.options.length > best.reply.options.length) best = { id, reply: body };
    if (body.options.length > 1) break;
  }
  if (!best) throw new Error('nobody at this location can be replaced');
  return best;
}

test('a leave of two weeks is given to others by keyboard: why, one submit for all dates, and one undo @detail', async ({
  page,
  request,
}) => {
  await signedIn(page);
  const api = await Api.signIn(request);
  const from = addDays(mondayOf(await api.today()), 7);
  const until = addDays(from, 11);
  const { id, reply } = await replaceable(api, from, until);
  const [child] = reply.children;
  const runs = Object.values(reply.options[0]?.series ?? {}).flatMap((each) => each.runs);
  const date = runs[0]?.dates[0] ?? from;
  /** Who has whom on a date of the leave. */
  const planOf = async (): Promise<string[]> => {
    const { appointments } = await api.get<SlotsReply>(`/slots?location=${LOCATION}&date=${date}`);
    return appointments
      .map((each) => `${each.StartDateTime} ${each['Client Name']} ${each.Preferred_Provider_Name}`)
      .sort();
  };
  const before = await planOf();
  await page.goto(`/standing?location=${LOCATION}&therapist=${id}&from=${from}&until=${until}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(reply.therapist.name);
  const table = page.getByRole('region', { name: 'Options' });
  await expect(table.getByRole('rowheader', { name: child?.name ?? '' }).first()).toBeVisible();
  await expectAccessibleInBothThemes(page, 'who takes the sessions of a leave');

  const cell = table.locator('[data-cell]').first();
  await cell.focus();
  await expect(cell).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('y');
  await expect(page.getByRole('region', { name: new RegExp(`for ${child?.name}`) })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Submit all \d+ sessions$/ }).click();
  await expect(page.getByText(/\d+ sessions from .* have a therapist\..* \d+ people to tell\./)).toBeVisible();
  expect(await planOf()).not.toEqual(before);
  await page.getByRole('button', { name: 'Undo all' }).click();
  await expect(page.getByText('Undone. The calendar is as it was before.')).toBeVisible();
  expect(await planOf()).toEqual(before);
});
