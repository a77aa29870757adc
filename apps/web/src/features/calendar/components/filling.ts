import { afterFrame } from '../../../shared/after-frame.ts';
import { rowsInView, type RowRange } from '../windowing.ts';

/** For about this long, in milliseconds, blocks are drawn before the browser may do something else. */
const SLICE_MS = 5;

/** Rows that are drawn together, and what draws them. */
interface Block extends RowRange {
  draw: () => void;
}

/**
 * Decides when blocks of rows are drawn: those in view at once, the others after the next frame, a few at a time, so
 * that they delay neither the first frame nor a click. A block that comes into view meanwhile is drawn before the
 * frame that would show it.
 */
export class Filling {
  readonly #waiting = new Set<Block>();
  #tops: readonly number[] = [];
  #scrolled = 0;
  #filling = false;
  #onDrawn: () => void = () => {};

  /** Adds a block, which is drawn once `settle` is called. Returns a function that removes it. */
  put(block: Block): () => void {
    this.#waiting.add(block);
    return () => void this.#waiting.delete(block);
  }

  /**
   * Draws the blocks in view now, and the others later.
   * @param tops where each row begins and where the last row ends, in px
   * @param onDrawn called each time that some of the others were drawn
   */
  settle(tops: readonly number[], onDrawn: () => void): void {
    this.#tops = tops;
    this.#onDrawn = onDrawn;
    this.#drawInView();
    if (this.#waiting.size === 0 || this.#filling) return;
    this.#filling = true;
    afterFrame(() => this.#inTurn());
  }

  scrolledTo(top: number): void {
    this.#scrolled = top;
    if (this.#waiting.size > 0) this.#drawInView();
  }

  drawRow(index: number): void {
    this.#drawWithin({ first: index, end: index + 1 });
  }

  drawAll(): void {
    this.#drawWithin({ first: 0, end: Infinity });
  }

  #drawInView(): void {
    // The window is at least as high as the list's visible part, whose height would have to be measured.
    this.#drawWithin(rowsInView(this.#tops, this.#scrolled, this.#scrolled + window.innerHeight));
  }

  #drawWithin(range: RowRange): void {
    for (const block of this.#waiting) if (block.first < range.end && range.first < block.end) this.#draw(block);
  }

  #draw(block: Block): void {
    this.#waiting.delete(block);
    block.draw();
  }

  /** Draws some blocks after whatever else the browser has to do. */
  #inTurn(): void {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      this.#drawSome();
    };
    port2.postMessage(null);
  }

  #drawSome(): void {
    const end = performance.now() + SLICE_MS;
    for (const block of this.#waiting) {
      this.#draw(block);
      if (performance.now() >= end) break;
    }
    this.#onDrawn();
    this.#filling = this.#waiting.size > 0;
    if (this.#filling) this.#inTurn();
  }
}
