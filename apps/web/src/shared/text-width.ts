/**
 * About how wide a text is, in em of our letters at their normal width: within a sixth of the truth, and mostly more.
 * Measuring hundreds of names on the page would delay it.
 */
export function roughWidth(text: string): number {
  let width = 0;
  for (const letter of text.normalize('NFD').replace(/\p{M}/gu, ''))
    width += /[mw@%]/i.test(letter)
      ? 0.9
      : /[iljtfrI.,'’ ()-]/.test(letter)
        ? 0.34
        : /[\p{Lu}\d]/u.test(letter)
          ? 0.68
          : 0.56;
  return width;
}
