/** Joins class names, leaving out false and empty values. */
export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ');
