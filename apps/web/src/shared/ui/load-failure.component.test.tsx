import { useQuery } from '@tanstack/react-query';
import { causesEndpoints } from '@clinic/contract';
import { expect, test } from 'vitest';
import { serve, show } from '../../testing/components.tsx';
import { call } from '../api/client.ts';
import { LoadFailure } from './load-failure.tsx';

/** What no user should ever read. */
const SCRIPT = /Unexpected|Failed to fetch|TypeError|undefined|\[object|not valid JSON|Cannot read|<form/;

function Causes() {
  const query = useQuery({ queryKey: ['causes'], queryFn: () => call(causesEndpoints.listCauses, {}), retry: false });
  return (
    <>
      <LoadFailure what="the causes" query={query} />
      {query.data ? <p>{`${query.data.length} causes`}</p> : null}
    </>
  );
}

const html = (status: number) =>
  new Response('<!doctype html><form></form>', { status, headers: { 'Content-Type': 'text/html' } });

for (const [what, reply, why] of [
  ['a login page', html(200), 'The server’s reply could not be read.'],
  ['null', Response.json(null), 'The server’s reply could not be read.'],
  ['an empty object', Response.json({}), 'The server’s reply could not be read.'],
  ['broken JSON', new Response('[{"id'), 'The server’s reply could not be read.'],
  ['a gateway’s page', html(502), 'The server cannot be reached (502).'],
  ['a portal’s page', html(511), 'The server cannot be reached (511).'],
  ['a refusal without a reason', new Response('', { status: 403 }), 'The server refused this without a reason (403).'],
  ['no reply', null, 'The server did not reply.'],
] as const)
  test(`given ${what}, the page says what could not be loaded, why, and loads it on Try again`, async () => {
    serve([causesEndpoints.listCauses, reply]);
    const screen = await show(<Causes />);
    const alert = screen.getByRole('alert');
    await expect.element(screen.getByText('Failed to load the causes. Please try again.')).toBeVisible();
    await expect.element(screen.getByText(why, { exact: false })).toBeVisible();
    expect(alert.element().textContent).not.toMatch(SCRIPT);
    expect(alert.element().textContent).not.toMatch(/saved/);
    serve([causesEndpoints.listCauses, []]);
    await screen.getByRole('button', { name: 'Try again' }).click();
    await expect.element(screen.getByText('0 causes')).toBeVisible();
    await expect.element(alert).not.toBeInTheDocument();
  });

test('what was loaded before stays, and is said to be out of date perhaps', async () => {
  serve([causesEndpoints.listCauses, []]);
  const screen = await show(<Causes />);
  await expect.element(screen.getByText('0 causes')).toBeVisible();
  serve([causesEndpoints.listCauses, html(502)]);
  const { queryClient } = await import('../api/query-client.ts');
  await queryClient.invalidateQueries();
  await expect.element(screen.getByText(/What is shown may be out of date/)).toBeVisible();
  await expect.element(screen.getByText('0 causes')).toBeVisible();
});
