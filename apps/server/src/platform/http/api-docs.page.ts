interface Operation {
  readonly summary?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: unknown }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { schema?: unknown }>> };
  readonly responses?: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: unknown }>> }>>;
}

/** The OpenAPI document as one HTML page: every call with its parameters, body and replies. */
export function renderApiDocs(document: { readonly paths?: object }): string {
  const calls = Object.entries((document.paths ?? {}) as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
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
<p>The same for machines: <a href="/api/openapi.json">openapi.json</a>. Every error is <code>{"detail": …}</code>. Licenses of what the product is built with: <a href="/third-party-notices.txt">the pages</a>, <a href="/embed/timeslot-cancel.notices.txt">the embedded modal</a>.</p>
<nav aria-label="Calls"><ul>${calls.map((call) => `<li><a href="#${call.id}">${escape(call.name)}</a></li>`).join('')}</ul></nav>
${calls.map((call) => renderCall(call.id, call.name, call.operation)).join('\n')}
</body>
</html>
`;
}

function renderCall(id: string, name: string, operation: Operation): string {
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) =>
    block(`Body, ${type}`, schema),
  );
  const replies = Object.entries(operation.responses ?? {}).flatMap(([status, { content }]) =>
    Object.entries(content ?? {}).map(([type, { schema }]) => block(`Reply ${status}, ${type}`, schema)),
  );
  const parameters = (operation.parameters ?? []).map(
    (each) => `<li><code>${escape(each.name)}</code> (${escape(each.in)}${each.required ? '' : ', optional'})</li>`,
  );
  return `<section>
<h2 id="${id}">${escape(name)}</h2>
<p>${escape(operation.summary ?? '')}${operation.security?.length ? ' Needs a bearer token.' : ''}</p>
${parameters.length > 0 ? `<h3>Parameters</h3><ul>${parameters.join('')}</ul>` : ''}
${[...bodies, ...replies].join('\n')}
</section>`;
}

function block(title: string, schema: unknown): string {
  return `<h3>${escape(title)}</h3><pre>${escape(JSON.stringify(schema, null, 2))}</pre>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
