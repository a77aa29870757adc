import { expect, test } from 'vitest';
import { TEXTS, profilesEndpoints } from '@clinic/contract';
import { ApiError, NoReplyError, NotSignedInError } from '../../shared/api/client.ts';
import { deleteFailure } from './delete-failure.ts';

test.each([
  [
    new NoReplyError('unreadable', profilesEndpoints.deleteTherapist, 502),
    'Failed to delete therapist: The server cannot be reached (502).',
    'Ana Ruiz may have been deleted. Check the list before trying again.',
    false,
  ],
  [
    new NoReplyError('offline', profilesEndpoints.deleteTherapist),
    'Failed to delete therapist: There is no connection.',
    'Ana Ruiz was not deleted. Nothing was changed.',
    false,
  ],
  [
    new ApiError(401, 'You are not logged in.'),
    'Failed to delete therapist: Authentication failed. Please log in again.',
    'Use valid credentials: the email and password of your own account. Ana Ruiz was not deleted.',
    true,
  ],
  [
    new NotSignedInError(TEXTS.authRequired),
    'Failed to delete therapist: Authentication required. Please log in.',
    'Use valid credentials: the email and password of your own account. Ana Ruiz was not deleted.',
    true,
  ],
  [new ApiError(500, 'The drawer is stuck.'), 'Failed to delete therapist: The drawer is stuck.', null, false],
  [
    new ApiError(404, 'This therapist is no longer on file.'),
    'Failed to delete therapist: This therapist is no longer on file.',
    'Ana Ruiz was not deleted. Nothing was changed.',
    false,
  ],
])(
  '[PROF-11] when deleting a therapist fails, the message says so first, and then what became of them (%#)',
  (error, title, text, login) => {
    expect(deleteFailure(error, 'Ana Ruiz')).toEqual({ title, text, login });
  },
);
