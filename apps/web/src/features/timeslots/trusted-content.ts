/**
 * The only place where a string becomes HTML or a script's address. The content security policy requires Trusted
 * Types and names this policy. The HTML and the script come from the product's own server, under `/legacy/`.
 */
interface Policy {
  createHTML: (text: string) => string;
  createScriptURL: (text: string) => string;
}
interface TrustedTypes {
  createPolicy: (name: string, rules: Policy) => Policy;
}

const rules: Policy = {
  createHTML: (text) => text,
  createScriptURL: (text) => {
    // Checks the address as the browser will read it: `/legacy/../` is not under `/legacy/`.
    const { origin, pathname } = new URL(text, location.href);
    if (origin !== location.origin || !/^\/legacy\/[\w./-]+$/.test(pathname))
      throw new TypeError(`not part of the legacy page: '${text}'`);
    return text;
  },
};

let policy: Policy | undefined;

/** The policy `legacy-scheduler`. Browsers without Trusted Types get the same checks on plain strings. */
export function legacyPolicy(): Policy {
  const types = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
  policy ??= types ? types.createPolicy('legacy-scheduler', rules) : rules;
  return policy;
}
