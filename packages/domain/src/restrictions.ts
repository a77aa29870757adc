/** Which therapists may not serve a client, as the family and the clinic decided. */
export type Gender = 'Female' | 'Male';
export const GENDERS = ['Male', 'Female'] as const;
export const SPECIALIZATIONS = ['BCBA', 'RBT', 'BT'] as const;
export type Specialization = (typeof SPECIALIZATIONS)[number];
