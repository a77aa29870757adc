/** How long a finger rests, in milliseconds, before it lifts, and how far it may slip meanwhile, in px. */
const REST_MS = 350;
const SLIP = 10;

/** Tells a finger that rests, and so lifts a session, from one that scrolls. */
export class Finger {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #from: { readonly x: number; readonly y: number } | null = null;

  /** @param holds whether something is lifted, under which nothing may scroll */
  listen(box: HTMLElement, holds: () => boolean, signal: AbortSignal): void {
    box.addEventListener('touchmove', (event) => void (holds() && event.preventDefault()), { passive: false, signal });
    // The browser would show its own menu.
    box.addEventListener('contextmenu', (event) => void (this.#from && event.preventDefault()), { signal });
  }

  press(x: number, y: number, lift: () => void): void {
    this.#from = { x, y };
    this.#timer = setTimeout(lift, REST_MS);
  }

  slipped(x: number, y: number): boolean {
    return this.#from !== null && Math.hypot(x - this.#from.x, y - this.#from.y) > SLIP;
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#from = null;
  }
}
