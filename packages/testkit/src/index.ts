/** Seeded test data for every package's tests and the benchmark. Nobody in it exists. */
export { coverDay, type CoverDayOptions } from './cover-days.ts';
export { hostileDays, type HostileDay } from './hostile-days.ts';
export { peopleNames } from './names.ts';
export { randomFrom, type Random } from './random.ts';
export { tinyDay } from './tiny-days.ts';
