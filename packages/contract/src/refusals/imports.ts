import { byCode, NOTHING_CHANGED } from './table.ts';

const whatIsThere = (wrote: boolean): string =>
  wrote ? 'Some days were imported completely, the others not at all.' : NOTHING_CHANGED;

export const IMPORT_REFUSALS = byCode({
  busy: {
    'import-running': () => `Another import is running. ${NOTHING_CHANGED} Try again when it has finished.`,
    'import-ended': (wrote: boolean) =>
      `The program that reads the files stopped unexpectedly. ${whatIsThere(wrote)} Import the same files again${wrote ? '; nothing is imported twice' : ''}. If it stops again, split the largest file and import its parts.`,
  },
  'unsupported-media': {
    'import-not-a-form': () => `Send the files as multipart/form-data. ${NOTHING_CHANGED}`,
  },
  'bad-request': {
    'import-form-broken': () =>
      `The upload was interrupted or is not in the expected format. ${NOTHING_CHANGED} Choose the files again and upload them once more.`,
  },
  invalid: {
    'import-field-unknown': () =>
      `Send each file once, in its own field: therapists, clients, appointments, authorizations or credentials. ${NOTHING_CHANGED}`,
    'import-answers-unreadable': () =>
      `answers: must be JSON with one string for each question’s key. ${NOTHING_CHANGED}`,
    'export-never-made': () =>
      `No export was made before, so there is nothing to compare with. ${NOTHING_CHANGED} Export everything first, or choose since when.`,
    'import-without-file': () => `There is no file to import. ${NOTHING_CHANGED}`,
    'import-file-unreadable': (fault: string) => `${fault} ${NOTHING_CHANGED}`,
    'import-too-costly': (limit: 'memory' | 'time', wrote: boolean) => {
      const why =
        limit === 'memory'
          ? 'Reading the files needs more memory than an import may use.'
          : 'Reading the files takes more time than an import may use.';
      return `${why} ${whatIsThere(wrote)} Split the largest file and import its parts${wrote ? '; nothing is imported twice' : ''}.`;
    },
  },
  unsure: {
    'import-broken-off': ({ people, sessions }: { readonly people: number; readonly sessions: number }) => {
      const done =
        people + sessions === 0
          ? 'Some rows may have been imported'
          : `${people.toLocaleString('en-US')} people and ${sessions.toLocaleString('en-US')} sessions were imported`;
      return `The import stopped in the middle because of a problem with the database. ${done}; the rest were not. Import the same files again: only the rest is imported.`;
    },
  },
});
