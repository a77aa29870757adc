// The domain's entry point.
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
