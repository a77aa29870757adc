/** Renders the guide as a whole page; throws for a link or a picture that is not safe. */
export function renderGuide(markdown: string, version: string): { html: string; pictures: string[] };
