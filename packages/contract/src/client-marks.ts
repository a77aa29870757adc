// Apart from the fields of profiles, so that the calendar need not load those.

/** The yes-or-no fields of a client. The form and every view are made from this list. */
export const CLIENT_MARKS = ['care_team_only', 'rbt_or_above', 'two_to_one'] as const;
export type ClientMark = (typeof CLIENT_MARKS)[number];
/** A record with a value for each of the yes-or-no fields. */
export const eachClientMark = <T>(of: (mark: ClientMark) => T): Record<ClientMark, T> =>
  Object.fromEntries(CLIENT_MARKS.map((mark) => [mark, of(mark)])) as Record<ClientMark, T>;

/**
 * What a therapist should know when they cover a client's session. The form, the views and the therapist's own page
 * are made from this list.
 */
export const COVER_NOTE = ['likes', 'helps', 'avoid'] as const;
export type CoverNotePart = (typeof COVER_NOTE)[number];
/** A record with a value for each of these notes. */
export const eachNotePart = <T>(of: (part: CoverNotePart) => T): Record<CoverNotePart, T> => ({
  likes: of('likes'),
  helps: of('helps'),
  avoid: of('avoid'),
});
