/** The two refusals that the login page recognizes, apart from the others, so that pages need not load those. */
export const CODE_NEEDED = 'Enter the code that your authenticator app shows.';
export const CODE_WRONG = 'This code is wrong, or was used before. Enter the newest code, or a recovery code.';

/**
 * The server's refusal codes, each with its HTTP status and a message for users. The message is used when no more
 * specific message fits. It says what happened, what that means and what to do.
 */
export const ERRORS = {
  'bad-request': { status: 400, text: 'The request could not be read. Nothing was changed.' },
  invalid: { status: 422, text: 'The request is not valid. Nothing was changed.' },
  'not-signed-in': { status: 401, text: 'You are not logged in, or your session has ended. Log in again.' },
  'invalid-credentials': { status: 401, text: 'Invalid credentials' },
  'code-needed': { status: 401, text: CODE_NEEDED },
  'code-wrong': { status: 401, text: CODE_WRONG },
  forbidden: { status: 403, text: 'Your account cannot do this. Ask an administrator.' },
  'forbidden-location': { status: 403, text: 'Your account does not include this location. Ask an administrator.' },
  'not-found': { status: 404, text: 'This does not exist, or it was deleted.' },
  'method-not-allowed': {
    status: 405,
    text: 'This address does not take this kind of request. Nothing was changed.',
  },
  conflict: {
    status: 409,
    text: 'The calendar has changed since these options were made. Nothing was submitted. Refresh the options.',
  },
  'stale-version': {
    status: 409,
    text: 'Someone else saved this in the meantime. Nothing was overwritten. Load the newest version and make your change again.',
  },
  'already-committed': {
    status: 409,
    text: 'These options have already been submitted. Nothing was submitted twice. Open the calendar to see the result.',
  },
  'takes-back': {
    status: 409,
    text: 'This would undo submitted changes. Nothing has been changed yet. Confirm, or leave everything as it is.',
  },
  'pins-conflict': {
    status: 410,
    text: 'The selected options cannot be kept together. Nothing was changed. Select other options and refresh again.',
  },
  'changes-gone': {
    status: 410,
    text: 'The changes since this position are no longer kept, or the data was restored from a backup. Ask without “since” for a new position, then read the records again.',
  },
  'not-acceptable': { status: 406, text: 'Records are written only as application/fhir+json.' },
  'key-reused': {
    status: 422,
    text: 'This request key was used for another request. Nothing was changed. Send the request with a new key.',
  },
  'wrong-host': {
    status: 421,
    text: 'The scheduler cannot be used at this address. Use the address that your administrator gave you.',
  },
  'too-large': { status: 413, text: 'The request is too large. Nothing was changed.' },
  'unsupported-media': { status: 415, text: 'The server cannot read this kind of content. Nothing was changed.' },
  // The client has disconnected, so no one receives this reply; the status is only for the log and the metrics.
  'hung-up': { status: 499, text: 'The connection was closed before a reply was sent.' },
  'too-many': { status: 429, text: 'Too many requests. Wait a moment and try again.' },
  internal: {
    status: 500,
    text: 'Something went wrong on the server. If you were saving, check the calendar before trying again.',
  },
  busy: {
    status: 503,
    text: 'The scheduler is working on other requests. Nothing was changed. Try again in a few seconds.',
  },
  unsure: {
    status: 503,
    text: 'The connection to the database was lost, so this may have been saved. Check before trying again.',
  },
  'database-away': {
    status: 503,
    text: 'The scheduler cannot reach its database right now. Nothing was changed. Try again in a few seconds.',
  },
  'read-only': {
    status: 503,
    text: 'The calendar is read-only right now. Nothing was changed; you can still view everything. Try again in a few minutes.',
  },
  'disk-full': {
    status: 503,
    text: 'The database’s disk is full. Nothing was changed; you can still view the calendar. Ask an administrator to free up space.',
  },
  'solver-failed': {
    status: 503,
    text: 'The options could not be worked out this time. Absences are saved. Try again.',
  },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Messages that the pages show word for word (specification, section 8), and texts that they recognize. */
export const TEXTS = {
  invalidCredentials: 'Invalid credentials',
  slotsFailed: 'Failed to load schedule data. Please try again.',
  /** Begins the server's message when absences are saved but there are no options; the save itself did not fail. */
  absencesSaved: 'The absences are saved.',
  absencesFailed: (message: string) => `Failed to save absences: ${message}`,
  noAbsencesToSave: 'No absences to save',
  noAbsencesSelected: 'No absences selected',
  noChangesNeeded: 'No scheduling changes needed',
  conflicts: 'Conflicts detected in the schedule:',
  refreshFailed: 'Error generating schedule. Please try again.',
  refreshNoReply: 'An error occurred while sending the augmentedResponse.',
  refreshEmpty: 'No changes to the schedule needed',
  actionsFailed: 'Error processing schedule actions. Please try again.',
  actionsNoReply: 'An error occurred while processing your schedule selections.',
  locationMissing: 'Error: Location information is missing. The scheduler cannot run without a location.',
  noOptions: 'No scheduling solutions available',
  noDate: 'No date selected or available',
  noDataForDate: 'No data for the selected date',
  noProfiles: 'No profiles found',
  authRequired: 'Authentication required. Please log in.',
  authFailed: 'Authentication failed. Please log in again.',
  loadFailed: (what: 'therapists' | 'clients') => `Failed to load ${what}.`,
  detailsFailed: 'Could not load profile details.',
  saveFailed: 'Failed to save profile:',
  deleteFailed: 'Failed to delete therapist:',
  deleteConfirm: 'Are you sure you want to delete this therapist? This action cannot be undone.',
  deleted: 'Therapist deleted successfully!',
  created: 'Profile created successfully!',
  updated: 'Profile updated successfully!',
  noTimeslots: 'No available timeslots for this client.',
  timeslotsFailed: 'Error fetching timeslots. Please try again.',
  legacyFailed: 'Error loading HTML or JS',
} as const;
