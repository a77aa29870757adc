import type { OpenApi, Operation } from './openapi.ts';

/** Renders the OpenAPI document as an HTML page: every endpoint with its parameters, body, replies and schemas. */
export function renderApiDocs(document: OpenApi): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: `${method}${path}`.replaceAll(/\W+/g, '-'),
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Clinic Scheduler: the API</title><link rel="stylesheet" href="/api/docs/style.css"></head>
<body>
<h1>Clinic Scheduler: the API</h1>
<p>For programs, the same document: <a href="/api/openapi.json">openapi.json</a>. Every error is <code>{"detail": …}</code>. Licenses of what the product is built with: <a href="/third-party-notices.txt">the pages</a>, <a href="/embed/timeslot-cancel.notices.txt">the embedded modal</a>.</p>
<nav aria-label="Calls"><ul>${calls.map((call) => `<li><a href="#${call.id}">${escape(call.name)}</a></li>`).join('')}</ul></nav>
${calls.map((call) => renderCall(call.id, call.name, call.operation)).join('\n')}
<h2>Schemas</h2>
${Object.entries(document.components.schemas)
  .map(([name, schema]) => block(name, schema))
  .join('\n')}
</body>
</html>
`;
}

function renderCall(id: string, name: string, operation: Operation): string {
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) =>
    block(`Body, ${type}`, schema),
  );
  const replies = Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, { content }]) =>
      content
        ? Object.entries(content).map(([type, { schema }]) => block(`Reply ${status}, ${type}`, schema))
        : [`<h3>Reply ${escape(status)}, empty</h3>`],
    );
  const refusals = Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => `<dt>${escape(status)}</dt><dd>${escape(description)}</dd>`);
  const parameters = operation.parameters.map(
    (each) =>
      `<li><code>${escape(each.name)}</code> (${escape(each.in)}${each.required ? '' : ', optional'}): <code>${escape(JSON.stringify(each.schema))}</code></li>`,
  );
  return `<section>
<h2 id="${id}">${escape(name)}</h2>
<p>${escape(operation.summary)}${operation.security?.length ? ' Needs a bearer token.' : ''}</p>
${parameters.length > 0 ? `<h3>Parameters</h3><ul>${parameters.join('')}</ul>` : ''}
${[...bodies, ...replies].join('\n')}
<h3>Refusals</h3><dl>${refusals.join('')}</dl>
</section>`;
}

function block(title: string, schema: unknown): string {
  return `<h3>${escape(title)}</h3><pre>${escape(JSON.stringify(schema, null, 2))}</pre>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
