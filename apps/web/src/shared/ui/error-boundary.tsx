import { Component, type ReactNode } from 'react';

/** If something inside breaks or cannot be loaded, only this part is lost, and `fallback` is shown in its place. */
export class ErrorBoundary extends Component<{ fallback: ReactNode; children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }
  override render(): ReactNode {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}
