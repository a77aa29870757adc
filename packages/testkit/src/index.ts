/** Seeded test data for every package's tests and the benchmark. All people are invented. */
export { coverDay, type CoverDayOptions } from './cover-days.ts';
export * from './clinic-quarter.ts';
export { hostileDays } from './hostile-days.ts';
export { randomFrom, type Random } from '@clinic/domain';
export { everyone, submitBody } from './commit-body.ts';
export { tinyDay } from './tiny-days.ts';
export { uniformDay, uniformDays } from './uniform-days.ts';
export { hardDays } from './hard-days.ts';
export { clinicDays, type HardDay } from './clinic-kinds.ts';
