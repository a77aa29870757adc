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
  await calendar.name(away).click();
  await calendar.absencesButton.click();
  const shown = page.evaluate(
    () =>
      new Promise<{ requests: string[]; focus: string | undefined }>((resolve) => {
        let from = Number.POSITIVE_INFINITY;
        addEventListener('click', () => void (from = performance.now()), { capture: true, once: true });
        const observer = new MutationObserver(() => {
          if (!document.querySelector('dialog[open] [data-do="pick"]')) return;
          observer.disconnect();
          requestAnimationFrame(() => {
            const focus = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['at'] : '';
            // Replies to requests sent before the frame have all arrived a while later.
            setTimeout(() => {
              const sent = performance.getEntriesByType('resource').filter((each) => each.startTime >= from);
              const before = sent.filter((each) => each.startTime < frame);
              const paths = before.map((each) => new URL(each.name).pathname);
              // The event about the save reloads the day if the options take longer than half a second.
              const requests = paths.filter((path) => !/\/(slots|absence-reports)$/.test(path));
              resolve({ requests, focus });
            }, 1500);
            const frame = performance.now();
          });
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true });
      }),
  );
  // Presence is reported as the panel opens, and the day is solved ahead; both must be over.
  await page.waitForTimeout(1500);
  const saved = page.waitForResponse('**/scheduler/process');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  const { metadata } = (await (await saved).json()) as ProposalReply;
  const { requests, focus } = await shown;
  expect(focus).toBe('0:0');
  // If a busy machine has not solved everything ahead, the page asks for the rest.
  const asked = metadata.more === true ? requests.filter((path) => path !== '/api/proposals') : requests;
  expect(asked).toEqual(['/api/api/scheduler/process']);
});
