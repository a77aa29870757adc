/** What a service account may read: the records in FHIR, and which of them have changed. */
export const RECORD_SCOPES = ['fhir.read', 'changes.read'] as const;
export type RecordScope = (typeof RECORD_SCOPES)[number];
