/** Whose calendar, profile or absence something is. */
export const PERSON_KINDS = ['therapist', 'client'] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];
export const isPersonKind = (value: unknown): value is PersonKind => PERSON_KINDS.some((kind) => kind === value);

export const GENDERS = ['Male', 'Female'] as const;
/** The gender of a therapist or a client; a client's restriction can require the therapist's. */
export type Gender = (typeof GENDERS)[number];

/** The credentials that a therapist can have, highest first. */
export const SPECIALIZATIONS = ['BCBA', 'RBT', 'BT'] as const;
export type Specialization = (typeof SPECIALIZATIONS)[number];
