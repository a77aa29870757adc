/** About how wide a text is, in em of our letters: a little more than it is. Measuring on the page would delay it. */
export function roughWidth(text: string): number {
  let width = 0;
  for (const letter of text)
    width += /[mwÆ@%]/i.test(letter) ? 0.9 : /[iljtfrI.,'’ ()-]/.test(letter) ? 0.34 : letter > 'Z' ? 0.56 : 0.68;
  return width;
}
