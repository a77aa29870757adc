/** The number of sessions in the list. A session with several pieces or gaps counts once. */
export const countSessions = (list: readonly { readonly session: string }[]): number =>
  new Set(list.map(({ session }) => session)).size;
