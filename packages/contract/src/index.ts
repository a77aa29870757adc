// The contract's front door: what goes over the wire, once, for server, pages, validation and OpenAPI.
export * from './absences.ts';
export * from './actions.ts';
export * from './admin.ts';
export * from './appointments.ts';
export * from './auth.ts';
export * from './calendar.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './imports.ts';
export * from './profiles.ts';
export * from './solutions.ts';
export * from './statuses.ts';
export * from './timeslots.ts';
export * from './today.ts';
export * from './wire-time.ts';
export * from './wire.ts';
