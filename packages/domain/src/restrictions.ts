/** A therapist's gender, which a client's restriction can require. */
export type Gender = 'Female' | 'Male';
export const GENDERS = ['Male', 'Female'] as const;
export const SPECIALIZATIONS = ['BCBA', 'RBT', 'BT'] as const;
export type Specialization = (typeof SPECIALIZATIONS)[number];
