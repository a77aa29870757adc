/** A refusal in the words of SCIM (RFC 7644, section 3.12). */
export class ScimError extends Error {
  override name = 'ScimError';
  readonly status: number;
  readonly scimType: string | undefined;
  constructor(status: number, detail: string, scimType?: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalid = (detail: string, scimType = 'invalidValue'): ScimError => new ScimError(400, detail, scimType);
