import type { ChoicesReply } from '@clinic/contract';
import { expectAccessible } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';
import { openOptions } from '../pages/options.ts';

test('given a mix of options, *Peek* shows the calendar with that mix, and closing the options keeps the mix @detail', async ({
  page,
  request,
}) => {
  const { at, date, api, view, proposal } = await openOptions(page, request, { at: 'palm beach', after: 8 }, 2);
  const clients = Object.entries(proposal.data[date] ?? {});
  const [client = '', options = {}] = clients.find(([, o]) => Object.keys(o).length > 1) ?? [];
  expect(Object.keys(options)).toContain('Option 2');
  await view.pick(client, 2).click();
  const before = await api.slots(date, at);

  const calendar = new Calendar(page);
  const said = page.getByRole('status').filter({ hasText: 'The calendar with these choices' });
  const covers = page.locator('[data-bar][aria-label*=" for "]');
  const peek = view.modal.getByRole('button', { name: 'Peek' });
  await expect(covers).toHaveCount(0);
  await page.keyboard.down('p');
  await expect(said).toBeVisible();
  await expect(view.modal).toHaveCSS('opacity', '0');
  await expect(covers.first()).toBeVisible();
  await page.keyboard.up('p');
  await expect(said).toHaveCount(0);
  await expect(view.modal).toHaveCSS('opacity', '1');
  await expect(covers).toHaveCount(0);
  await peek.hover();
  await page.mouse.down();
  await expect(covers.first()).toBeVisible();
  const pressed = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() - since > 300, pressed);
  await page.mouse.up();
  await expect(covers).toHaveCount(0);

  // After a click, the calendar stays until the next click or key, which does nothing else.
  const chosen = view.table.locator('[aria-pressed="true"]');
  const choices = await chosen.evaluateAll((all) => all.map((each) => each.getAttribute('data-at')));
  for (const back of [
    () => view.pick(client, 1).click({ force: true }),
    () => page.keyboard.press('Escape'),
    () => page.keyboard.press('Enter'),
  ]) {
    await peek.click();
    await expect(said).toContainText('Click or press a key to go back.');
    await expect(covers.first()).toBeVisible();
    await back();
    await expect(said).toHaveCount(0);
    await expect(view.modal).toHaveCSS('opacity', '1');
  }
  expect(await chosen.evaluateAll((all) => all.map((each) => each.getAttribute('data-at')))).toEqual(choices);
  await expectAccessible(page, 'the options with Peek', 'dialog');

  const reloaded = page.waitForEvent('load');
  await view.modal.getByRole('button', { name: 'Close', exact: true }).click();
  await reloaded;
  await calendar.ready();
  await page.getByRole('button', { name: 'See options' }).click();
  await expect(view.pick(client, 2)).toHaveAttribute('aria-pressed', 'true');
  // Peek changed nothing on the server.
  expect({ ...(await api.slots(date, at)), now: '' }).toEqual({ ...before, now: '' });
});

test('given a cell, *Choose someone else* lists the therapists with reasons; choosing one pins that therapist and solves the rest again @detail', async ({
  page,
  request,
}) => {
  const { api, date, view, proposal } = await openOptions(page, request, { at: 'deerfield', after: 12 }, 2);
  const { proposal: id, revision } = proposal.metadata;
  const choicesOf = async (name: string, time_slot: string): Promise<ChoicesReply> => {
    const cell = { proposal: id, revision, date, client: name, option: 'Option 1', time_slot };
    return (await api.send<ChoicesReply>('POST', '/proposals/choices', cell)).body;
  };
  let [client, booked, slot] = ['', '', ''];
  for (const [name, options] of Object.entries(proposal.data[date] ?? {})) {
    const [[time = '', cell] = [], ...more] = Object.entries(options['Option 1'] ?? {});
    if (client !== '' || cell?.status !== 'Cover' || more.length > 0) continue;
    if ((await choicesOf(name, time)).choices[0]?.possible) [client, booked, slot] = [name, cell.therapist, time];
  }
  expect(client).not.toBe('');
  const reason = view.modal.locator('[popover="auto"]');
  const openWhy = async (therapist: string): Promise<void> => {
    await view.table.getByRole('button', { name: `Why? ${therapist}, ${client}, ${slot}, Option 1` }).focus();
    await page.keyboard.press('Enter');
    await expect(reason).toBeVisible();
  };
  await openWhy(booked);
  await reason.getByRole('button', { name: 'Choose someone else' }).click();
  const able = reason.getByRole('list', { name: 'Who else could take it' }).getByRole('button');
  await expect(able.first()).toContainText(/free|would leave|would move/);
  // The therapist's hours are shown beside the name.
  await expect(able.first()).toContainText(/ of .+ h this week/);
  await expectAccessible(page, 'who else could take it', 'dialog [popover="auto"]');
  // Screen readers read a message only if its element was there before.
  await view.modal.getByRole('status').evaluateAll((all) => all.map((each) => each.setAttribute('data-known', '')));
  const chosen = (await able.first().locator('b').textContent()) ?? '';
  await able.first().click();
  const kept = `Kept as chosen: ${chosen} for ${client}`;
  await expect(view.modal.locator('[data-known]').getByText(kept)).toBeVisible();
  for (const option of [1, 2])
    await expect(
      view.table.getByRole('button', { name: `Why? ${chosen}, ${client}, ${slot}, Option ${option}` }),
    ).toHaveCount(1);
});
