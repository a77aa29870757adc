import {
  ERRORS,
  REFUSALS,
  type Conflict,
  type ErrorCode,
  type RefusalName,
  type RefusalParameters,
} from '@clinic/contract';

/** The parts of a refusal besides its sentence. */
export interface RefusalDetails {
  /** The conflicts, for 409 and 410. */
  readonly conflicts?: readonly Conflict[];
  /** Additional fields of `detail` for 409 and 410, such as the newest `version`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The only error that becomes a reply with `{detail}` (DATA-06). A Refusal that is made from only a code has the code's
 * general text. Use `refusal` to make a Refusal with a more specific sentence.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly conflicts: readonly Conflict[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, { conflicts = [], extra = {}, headers = {} }: RefusalDetails = {}) {
    super(ERRORS[code].text);
    this.code = code;
    this.conflicts = conflicts;
    this.extra = extra;
    this.headers = headers;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get detail(): string | { message: string; conflicts: readonly Conflict[]; [field: string]: unknown } {
    if (this.status !== 409 && this.status !== 410) return this.message;
    return { ...this.extra, message: this.message, conflicts: this.conflicts };
  }

  /** Returns a copy of the refusal with these details. */
  with(details: RefusalDetails): Refusal {
    const detailed = new Refusal(this.code, details);
    detailed.message = this.message;
    return detailed;
  }
}

/** Makes the refusal that the contract lists under this name; `.with(…)` adds conflicts, fields or headers. */
export function refusal<N extends RefusalName>(name: N, ...parameters: RefusalParameters<N>): Refusal {
  const { code, words } = REFUSALS[name] as { code: ErrorCode; words: (...given: RefusalParameters<N>) => string };
  const made = new Refusal(code);
  made.message = words(...parameters);
  return made;
}
