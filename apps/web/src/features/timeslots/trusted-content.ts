/**
 * The only place where text becomes markup or a script's address. The content security policy requires Trusted Types
 * and allows this policy by name; both the HTML and the script come from the product's own server, under `/legacy/`.
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
    // Checked as the browser will resolve it: `/legacy/../` is not under `/legacy/`.
    const { origin, pathname } = new URL(text, location.href);
    if (origin !== location.origin || !/^\/legacy\/[\w./-]+$/.test(pathname))
      throw new TypeError(`not of the legacy page: '${text}'`);
    return text;
  },
};

let policy: Policy | undefined;

/** The policy `legacy-scheduler`, or plain text in browsers without Trusted Types. */
export function legacyPolicy(): Policy {
  const types = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
  policy ??= types ? types.createPolicy('legacy-scheduler', rules) : rules;
  return policy;
}
