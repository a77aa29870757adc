import { isExpression, sql, type RawBuilder, type Selectable } from 'kysely';
import type { PeopleTables } from '../db/schema/people.ts';

/**
 * The authorizations of these clients, to select from. `offset 0` makes PostgreSQL look up each client's: version 15
 * would read those of everyone who was ever there.
 */
export const authorizationsOf = (clientIds: readonly string[] | RawBuilder<readonly string[]>) =>
  sql<Selectable<PeopleTables['client_authorization']>>`(
    select a.* from (select distinct unnest(${isExpression(clientIds) ? clientIds : [...clientIds]}::text[])) c (id),
      lateral (select * from client_authorization where client_id = c.id offset 0) a)`.as('own');
