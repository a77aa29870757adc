import { expect, test } from 'vitest';
import { wholeClient, wholeTherapist } from './whole-profiles.ts';
import { metadataDetails, wholeProposal } from './whole-proposal.ts';

test('[DATA-05] a proposal whose metadata has only the fields of the specification is accepted and keeps its metadata', () => {
  const metadata = { location: 'altamonte', day: '2026-11-20', weekly_schedule: {} };
  const proposal = wholeProposal({ data: {}, metadata: metadata as never });
  expect(proposal.metadata).toBe(metadata);
  expect(proposal.backed_up_therapists).toEqual({});
  expect(metadataDetails(metadata)).toEqual({
    options: {},
    client_figures: {},
    clients: {},
    claims: {},
    hours: {},
    versions: {},
  });
});

test('[DATA-05] given figures without the time needed, the time needed is computed as time kept plus time uncovered', () => {
  const figures = { label: 'Balanced', minutes_kept: 180, minutes_uncovered: 30, changes: 1, new_faces: 0 };
  const { options } = metadataDetails({ options: { '2026-11-20': { 'Option 1': figures as never } } });
  expect(options['2026-11-20']?.['Option 1']).toEqual({ proven: false, ...figures, minutes_needed: 210 });
});

test('[SOL-09] given a refresh reply without the free therapists, the list from the earlier reply stays', () => {
  const reserve = { '2026-11-20': [{ therapist: 'Lin Park', begin: '08:00', end: '12:00' }] };
  expect(wholeProposal({ data: { '2026-11-20': {} } }, reserve)).toMatchObject({
    data: { '2026-11-20': {} },
    backed_up_therapists: reserve,
  });
});

test('[DATA-03] [DATA-04] given a profile without a display name, its first and last name are shown', () => {
  const name = { first_name: 'Ana', last_name: 'Ruiz' };
  expect(wholeTherapist({ id: 'T-0001', ...name })).toMatchObject({ display_name: 'Ana Ruiz', availability: [] });
  expect(wholeClient({ id: 'C-0001', ...name })).toMatchObject({ display_name: 'Ana Ruiz', restrictions: [] });
  expect(wholeClient({ id: 'C-0002', ...name, display_name: 'Ana Ruiz (2)' }).display_name).toBe('Ana Ruiz (2)');
});
