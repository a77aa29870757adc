import { lazy, type ComponentType } from 'react';

/**
 * React's `lazy` with another try. React keeps a failed load forever, so after a failure `View` is a new component,
 * which loads the file again.
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
