import type { ProposalReply } from '@clinic/contract';
import { addDays } from '@clinic/domain';
import { Api } from '../fixtures/api.ts';
import { expect, signedIn, test } from '../fixtures/test.ts';
import { Calendar } from '../pages/calendar.ts';

test('from Save to the frame with the options, the page sends one request, and the chosen cell has the focus', async ({
  page,
  request,
}) => {
  const api = await Api.signIn(request);
  await signedIn(page);
  const calendar = new Calendar(page);
  await calendar.open(`?location=orlando&date=${addDays(await api.today(), 8)}`);
  const [away = ''] = await calendar.booked(2);
  // The panel asks for the reasons that it offers.
  const reasons = page.waitForResponse(/\/api\/causes/);
  await calendar.name(away).click();
  await calendar.absencesButton.click();
  await (await reasons).finished();
  const requests: string[] = [];
  page.on('request', (sent) => requests.push(new URL(sent.url()).pathname));
  const shown = page
    .evaluate(
      () =>
        new Promise<string | undefined>((resolve) => {
          const observer = new MutationObserver(() => {
            if (!document.querySelector('dialog[open] [data-do="pick"]')) return;
            observer.disconnect();
            requestAnimationFrame(() =>
              resolve(document.activeElement instanceof HTMLElement ? document.activeElement.dataset['at'] : ''),
            );
          });
          observer.observe(document, { subtree: true, childList: true, attributes: true });
        }),
    )
    // The browser reports the requests sent before the frame before it returns the focus.
    .then((focus) => ({ focus, before: [...requests] }));
  const saved = page.waitForResponse('**/scheduler/process');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  const { metadata } = (await (await saved).json()) as ProposalReply;
  const { focus, before } = await shown;
  expect(focus).toBe('0:0');
  // The event about the save reloads the day if the options take longer than half a second. Once it shows
  // Option 1, the page asks for the rest.
  const expected = metadata.more === true ? /\/(slots|absence-reports|proposals)$/ : /\/(slots|absence-reports)$/;
  expect(before.filter((path) => !expected.test(path))).toEqual(['/api/api/scheduler/process']);
});
