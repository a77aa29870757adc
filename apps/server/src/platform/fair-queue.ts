import { pushTo } from '@clinic/domain';

/**
 * A queue in which accounts take turns: each account's first item comes before any account's second. `owner` is the
 * account to which an item belongs or, before login, the IP address.
 */
export interface FairQueue<T> {
  readonly size: number;
  /** The number of accounts with at least one item. */
  readonly owners: number;
  countOf(owner: string): number;
  /** How many items the account with the most items has. */
  longest(): number;
  push(owner: string, item: T): void;
  /** Puts an item before its account's other items, and gives that account the next turn. */
  pushFirst(owner: string, item: T): void;
  /**
   * Removes and returns the next item that `may` allows. Accounts take turns, and each account's items come in order.
   */
  next(may?: (item: T) => boolean): T | undefined;
  remove(owner: string, item: T): boolean;
  /** Removes and returns the last item of the account with the most items; undefined when the queue is empty. */
  dropFromLongest(): T | undefined;
  /** Removes and returns all items. */
  clear(): T[];
}

export function makeFairQueue<T>(): FairQueue<T> {
  /** The items by account, in the order of the accounts' turns. Accounts without items have no entry. */
  let lists = new Map<string, T[]>();
  let size = 0;

  /** Removes and returns an item. The next turn of its account comes after everyone else's. */
  function take(owner: string, list: T[], at: number): T | undefined {
    const [item] = list.splice(at, 1);
    size--;
    lists.delete(owner);
    if (list.length > 0) lists.set(owner, list);
    return item;
  }

  return {
    get size() {
      return size;
    },
    get owners() {
      return lists.size;
    },
    countOf: (owner) => lists.get(owner)?.length ?? 0,
    longest: () => Math.max(0, ...[...lists.values()].map((list) => list.length)),
    push(owner, item) {
      pushTo(lists, owner, item);
      size++;
    },
    pushFirst(owner, item) {
      lists = new Map([[owner, [item, ...(lists.get(owner) ?? [])]], ...[...lists].filter(([each]) => each !== owner)]);
      size++;
    },
    next(may = () => true) {
      for (const [owner, list] of lists) {
        const at = list.findIndex(may);
        if (at >= 0) return take(owner, list, at);
      }
      return undefined;
    },
    remove(owner, item) {
      const list = lists.get(owner);
      const at = list?.indexOf(item) ?? -1;
      if (!list || at < 0) return false;
      list.splice(at, 1);
      size--;
      if (list.length === 0) lists.delete(owner);
      return true;
    },
    dropFromLongest() {
      let longest: T[] | undefined;
      let whose = '';
      for (const [owner, list] of lists) if (list.length > (longest?.length ?? 0)) [whose, longest] = [owner, list];
      const item = longest?.at(-1);
      if (longest && item !== undefined) this.remove(whose, item);
      return item;
    },
    clear() {
      const all = [...lists.values()].flat();
      lists = new Map();
      size = 0;
      return all;
    },
  };
}
