import type * as z from 'zod/mini';
import { choiceWords } from '@clinic/domain';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

/**
 * Says what is wrong with a field whose schema has no message of its own. The text follows the field's name in
 * `detail`, and never repeats the value that was sent.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? 'of another kind'}`;
    case 'invalid_value':
      return `must be ${choiceWords(issue.values.map(String))}`;
    case 'too_big':
      // Any whole number must be one that JavaScript can hold; a field's own limit is a second issue.
      if (issue.maximum === Number.MAX_SAFE_INTEGER) return 'is too large';
      return issue.origin === 'string'
        ? `is longer than ${issue.maximum} characters`
        : `is more than ${issue.maximum}${issue.origin === 'array' ? ' entries' : ''}`;
    case 'too_small':
      if (issue.minimum === Number.MIN_SAFE_INTEGER) return 'is too small';
      return issue.origin === 'number' ? `is less than ${issue.minimum}` : 'must not be empty';
    case 'not_multiple_of':
      return `is not a multiple of ${issue.divisor}`;
    case 'invalid_union': {
      // A list of objects told apart by one field (such as `type`): the issue is about that field.
      const { discriminator, options, input } = issue;
      if (discriminator === undefined || !Array.isArray(options)) return 'is not of the right kind';
      const isThere = typeof input === 'object' && input !== null && discriminator in input;
      return isThere ? `must be ${choiceWords(options.map(String))}` : 'is missing';
    }
    case 'invalid_key':
      // A key of an object, such as a date; its own schema says what is wrong with it.
      return issue.issues[0]?.message ?? 'is not of the right kind';
    default:
      return 'is not of the right kind';
  }
}
