/** Who read a catalogue's Spanish sentences, a person who speaks it, and when; `texts` is the digest of what they read. */
interface Review {
  readonly by: string;
  readonly on: string;
  readonly texts: string;
}

/**
 * The reviews of the Spanish sentences, by catalogue; null until a person has read them as they are now. The pages say so
 * to staff as long as it is null. A test fails when a sentence has changed since its review, and names the new digest.
 */
export const REVIEWS: Readonly<Record<'spoken' | 'ownDay' | 'account', Review | null>> = {
  spoken: null,
  ownDay: null,
  account: null,
};
