import { lazy, type ComponentType } from 'react';

/**
 * React's `lazy`, which can be tried again. React keeps a failed load for ever, so after a failure `View` is a new
 * component, which loads the file again.
 */
export function retryableLazy<P>(load: () => Promise<ComponentType<P>>): { readonly View: ComponentType<P> } {
  const fresh = (): ComponentType<P> =>
    lazy(async () => {
      try {
        return { default: await load() };
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
  };
}
