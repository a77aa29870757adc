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
  // Counted in the page, since the browser may report later requests before it returns what the frame showed.
  const shown = page.evaluate(
    () =>
      new Promise<{ focus: string | undefined; before: string[] }>((resolve) => {
        const before: string[] = [];
        const send = window.fetch;
        window.fetch = (input, init) => {
          before.push(new URL(input instanceof Request ? input.url : input, location.href).pathname);
          return send(input, init);
        };
        const observer = new MutationObserver(() => {
          if (!document.querySelector('dialog[open] [data-do="pick"]')) return;
          observer.disconnect();
          requestAnimationFrame(() => {
            window.fetch = send;
            const focused = document.activeElement;
            resolve({ focus: focused instanceof HTMLElement ? focused.dataset['at'] : '', before: [...before] });
          });
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true });
      }),
  );
  const saved = page.waitForResponse('**/scheduler/process');
  await calendar.panel.getByRole('button', { name: 'Save Absences' }).click();
  const { metadata } = (await (await saved).json()) as ProposalReply;
  const { focus, before } = await shown;
  expect(focus).toBe('0:0');
  // The event about the save reloads the day if the options take longer than half a second. Once it shows
  // Option 1, the page asks for the rest.
  const ofEvent = /\/(slots|absence-reports|calls\/count)$/;
  const isExpected = (path: string) => ofEvent.test(path) || (metadata.more === true && path.endsWith('/proposals'));
  expect(before.filter((path) => !isExpected(path))).toEqual(['/api/api/scheduler/process']);
});
