import { lazy, type ComponentType } from 'react';

/**
 * Like React's `lazy`, but can load again after a failure, which React would remember forever. Each failure makes a new
 * `View`. Once the component has loaded, use `loaded` in place of `View`: React may take a third of a second longer to
 * show a `View` that was still loading.
 */
export function retryableLazy<P>(load: () => Promise<ComponentType<P>>): {
  readonly View: ComponentType<P>;
  readonly loaded: ComponentType<P> | null;
  /** Loads the component in advance. A failure is not reported until the component is needed. */
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
