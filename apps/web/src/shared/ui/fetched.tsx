import { Component, lazy, type ComponentType, type ReactNode } from 'react';

/**
 * A component, `View`, whose file is fetched when it is first drawn. React keeps a failure for ever, so after one `View`
 * is another component, which fetches anew.
 */
export function fetched<P>(load: () => Promise<ComponentType<P>>): { readonly View: ComponentType<P> } {
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

/** What breaks within, or does not come, takes down itself alone: `failed` stands in its place. */
export class Guard extends Component<{ failed: ReactNode; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }
  override render(): ReactNode {
    return this.state.broken ? this.props.failed : this.props.children;
  }
}
