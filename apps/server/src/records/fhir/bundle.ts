import type { Bundle, FhirResource } from 'fhir/r4.js';
import type { Search } from './search.ts';

/** A page of a search's results. */
export interface PageOf {
  readonly resources: readonly FhirResource[];
  /** How many there are on all pages; undefined where counting them would take too long. */
  readonly total: number | undefined;
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

/**
 * A page as a searchset. Its links name the parameters that were used, and the next page goes on after the last row of
 * this one, whatever was booked or cancelled meanwhile.
 * @param base the address of the server's FHIR endpoint
 */
export function bundleOf(base: string, type: string, search: Search, { resources, total, next }: PageOf): Bundle {
  const link = (cursor?: string): string => {
    const query = new URLSearchParams([...search.used, ...(cursor === undefined ? [] : [['_cursor', cursor]])] as [
      string,
      string,
    ][]);
    return `${base}/${type}${query.size === 0 ? '' : `?${query.toString()}`}`;
  };
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    ...(total === undefined ? {} : { total }),
    link: [
      { relation: 'self', url: link(search.after) },
      ...(next === undefined ? [] : [{ relation: 'next', url: link(next) }]),
    ],
    ...(resources.length === 0
      ? {}
      : {
          entry: resources.map((resource) => ({
            fullUrl: `${base}/${resource.resourceType}/${resource.id ?? ''}`,
            resource,
            search: { mode: 'match' as const },
          })),
        }),
  };
}
