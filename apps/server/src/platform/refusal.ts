import {
  ERRORS,
  REFUSALS,
  type Conflict,
  type ErrorCode,
  type RefusalName,
  type RefusalParameters,
} from '@clinic/contract';

/** What a refusal tells beside its code's own text. */
export interface RefusalOptions {
  /** The sentence for the person, where something better than the code's text is known. */
  readonly message?: string;
  /** For 409 and 410: what clashes. */
  readonly conflicts?: readonly Conflict[];
  /** For 409 and 410: further fields of `detail`, such as the newest `version`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The one error that becomes a reply: a code of the contract's table, and `{detail}` (DATA-06). */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly conflicts: readonly Conflict[] | undefined;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? ERRORS[code].text);
    this.code = code;
    this.conflicts = options.conflicts;
    this.extra = options.extra ?? {};
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get detail(): string | { message: string; conflicts: readonly Conflict[]; [field: string]: unknown } {
    if (this.status !== 409 && this.status !== 410) return this.message;
    return { ...this.extra, message: this.message, conflicts: this.conflicts ?? [] };
  }
}

/** A refusal in the contract's words for it. */
export function refusal<N extends RefusalName>(name: N, ...parameters: RefusalParameters<N>): Refusal {
  const { code, words } = REFUSALS[name] as { code: ErrorCode; words: (...given: RefusalParameters<N>) => string };
  return new Refusal(code, { message: words(...parameters) });
}
