/**
 * Makes a URL whose path cannot be decoded, such as `/%E0`, readable: each percent sign then stands for itself, and the
 * URL leads nowhere. Otherwise Fastify would reply before any hook runs: without the security headers, without checking
 * the host, without a line in the log, and to people who open a page, in JSON.
 */
export function readableUrl(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
