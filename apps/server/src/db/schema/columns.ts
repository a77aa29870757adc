import type { ColumnType, JSONColumnType } from 'kysely';
import type { IsoDate } from '@clinic/domain';

/**
 * Dates, times and bigints arrive as strings (connection.ts): dates as `YYYY-MM-DD`, the clinic's times as `YYYY-MM-DD
 * HH:MM:SS`, other times in UTC.
 */

export type Json<T> = JSONColumnType<T & object, string, string>;
export type DateColumn = ColumnType<IsoDate, string, string>;
export type Instant = string;
export type DefaultInstant = ColumnType<string, string | undefined, string>;
