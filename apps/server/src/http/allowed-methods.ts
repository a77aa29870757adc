import type { App } from '../access/deps.ts';

/**
 * Notes the routes that are registered from now on. Returns a function that lists the methods that a path accepts; the
 * list is empty if there is no such path.
 */
export function noteMethods(app: App): (path: string) => string[] {
  const routes: { readonly parts: readonly string[]; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => void routes.push({ parts: url.split('/'), methods: [method].flat() }));
  return (path) => {
    const given = path.split('/');
    const fits = (part: string, i: number): boolean => (part.startsWith(':') ? given[i] !== '' : part === given[i]);
    const found = routes.filter(({ parts }) => parts.length === given.length && parts.every(fits));
    return [...new Set(found.flatMap(({ methods }) => methods))].sort();
  };
}
