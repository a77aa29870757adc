const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/**
 * Decodes `&#39;`, `&#x27;` and the names that HTML pages need, once: programs that show their pages in a browser also
 * write `O&#39;Brien` into their exports. Control characters stay as they are written.
 */
export const unescapedHtml = (text: string): string => (text.includes('&') ? decoded(text) : text);

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi,
    (as: string, decimal?: string, hex?: string, name: string = '') => {
      if (decimal === undefined && hex === undefined) return NAMED[name.toLowerCase()] ?? as;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      if (code > 0x10_ff_ff) return as;
      const char = String.fromCodePoint(code);
      return /[\p{Cc}\p{Surrogate}]/u.test(char) ? as : char;
    },
  );
