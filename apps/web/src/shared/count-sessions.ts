/** How many sessions these are. A session with several pieces or gaps counts once. */
export const countSessions = (list: readonly { readonly session: string }[]): number =>
  new Set(list.map(({ session }) => session)).size;
