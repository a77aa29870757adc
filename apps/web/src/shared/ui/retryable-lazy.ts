import { lazy, type ComponentType } from 'react';

/**
 * Like React's `lazy`, but can load again after a failure, which React would remember forever. After a failure, `View`
 * is a new component. After a success, `loaded` is the component itself, because React may wait a third of a second
 * before it shows a `View` that was still loading.
 */
export function retryableLazy<P>(load: () => Promise<ComponentType<P>>): {
  readonly View: ComponentType<P>;
  readonly loaded: ComponentType<P> | null;
  /** Loads the component before it is needed. A failure is reported only once the component is needed. */
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
