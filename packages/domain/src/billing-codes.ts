/** The billing codes (CPT) for adaptive behavior services. */
export const BILLING_CODES = ['97151', '97152', '97153', '97154', '97155', '97156', '97157', '97158'] as const;
export type BillingCode = (typeof BILLING_CODES)[number];

const NAMED_CODES = /(?<!\d)9715[1-8](?!\d)/g;

/** The billing codes named in `text`, in order of appearance. */
export const codesIn = (text: string): BillingCode[] =>
  [...text.matchAll(NAMED_CODES)].flatMap(([found]) => BILLING_CODES.find((code) => code === found) ?? []);
