// The domain's entry point.
export * from './calls/call-kind.ts';
export * from './calls/call-order.ts';
export * from './calls/call-words.ts';
export * from './calls/told-day.ts';
export * from './contacts.ts';
export * from './employment.ts';
export * from './figures.ts';
export * from './grid.ts';
export * from './interval.ts';
export * from './locations.ts';
export * from './merge.ts';
export * from './mix.ts';
export * from './names.ts';
export * from './random.ts';
export * from './restrictions.ts';
export * from './services.ts';
export * from './time.ts';
