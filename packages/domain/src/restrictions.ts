/** Who may serve a client, as the family and the clinic decided. */
export type Gender = 'Female' | 'Male';
export const GENDERS = ['Male', 'Female'] as const;
export const SPECIALIZATIONS = ['BCBA', 'RBT', 'BT'] as const;
export type Specialization = (typeof SPECIALIZATIONS)[number];

export type Restriction = { type: 'gender'; requiresGender: Gender } | { type: 'therapist'; excludesTherapist: string };

/** In words: `only female therapists`, `never Ana Ruiz`. Two genders mean either. */
export function restrictionsInWords(list: readonly Restriction[], nameOf: (therapistId: string) => string): string[] {
  const genders = new Set(list.flatMap((r) => (r.type === 'gender' ? [r.requiresGender] : [])));
  const words: string[] = [];
  if (genders.size === 1) words.push(`only ${[...genders][0] === 'Female' ? 'female' : 'male'} therapists`);
  if (genders.size === 2) words.push('female or male therapists');
  for (const r of list) if (r.type === 'therapist') words.push(`never ${nameOf(r.excludesTherapist)}`);
  return words;
}
