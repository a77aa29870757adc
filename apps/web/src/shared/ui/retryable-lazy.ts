import { lazy, type ComponentType } from 'react';

/**
 * React's `lazy` with another try. React keeps a failed load forever, so after a failure `View` is a new component,
 * which loads the file again. After a success `loaded` is the component itself: React holds back what a `View` had to wait for by up to a third
 * of a second, even if the file has been there for long.
 */
export function retryableLazy<P>(load: () => Promise<ComponentType<P>>): {
  readonly View: ComponentType<P>;
  readonly loaded: ComponentType<P> | null;
  /** Loads the file before it is needed. A failure shows when it is. */
  readonly preload: () => void;
} {
  let loaded: ComponentType<P> | null = null;
  const loading = async (): Promise<ComponentType<P>> => (loaded = await load());
  const fresh = (): ComponentType<P> =>
    lazy(async () => {
      try {
        return { default: await loading() };
      } catch (error) {
        current = fresh();
        throw error;
      }
    });
  let current = fresh();
  return {
    get View() {
      return current;
    },
    get loaded() {
      return loaded;
    },
    preload: () => void loading().catch(() => undefined),
  };
}
