import type { LeadFigure, OfferedCell, ProposalReply } from '@clinic/contract';

/** A small proposal for tests: two dates, three clients, two options that clash when mixed. */
const cell = (therapist: string, status: string, option: number, more: Partial<OfferedCell> = {}): OfferedCell => ({
  therapist,
  status,
  branch_state: `p_1.1.${option}`,
  ...more,
});

const LEADS: Readonly<Record<string, LeadFigure>> = { 'Fewest calls': 'calls', 'Fewest new faces': 'new_faces' };

const figures = (label: string, kept: number, changes: number, faces: number) => ({
  label,
  strategy: label.toLowerCase(),
  sessions: 3,
  minutes_needed: 360,
  minutes_kept: kept,
  minutes_uncovered: 360 - kept,
  changes,
  new_faces: faces,
  calls: changes,
  cuts: 0,
  bcba_minutes: 0,
  leads_in: LEADS[label] ?? null,
  proven: true,
});

/** One client's part of an option's figures, for a single session. */
const part = (needed: number, kept: number, faces = 0) => ({
  sessions: 1,
  changes: 1,
  minutes_needed: needed,
  minutes_kept: kept,
  minutes_uncovered: needed - kept,
  new_faces: faces,
});

export function proposal({ revision = 1 } = {}): ProposalReply {
  return {
    data: {
      '2026-11-23': {
        'Bo Lee': {
          'Option 1': { '8:30 AM - 11:30 AM': cell('Kai Wood', 'Cover', 1) },
          'Option 2': { '8:30 AM - 11:30 AM': cell('Lin Park', 'Cover', 2) },
        },
      },
      '2026-11-20': {
        'Zoe Fox': {
          'Option 1': { '9:00 AM - 12:00 PM': cell('Lin Park', 'Cover', 1, { familiarity: 'team', minutes: 180 }) },
          'Option 2': { '9:00 AM - 12:00 PM': cell('Kai Wood', 'Cover', 2, { familiarity: 'new', minutes: 180 }) },
        },
        'Bo Lee': {
          'Option 1': { '8:30 AM - 11:30 AM': cell('Kai Wood', 'Cover', 1, { familiarity: 'known', minutes: 180 }) },
          'Option 2': {
            '8:30 AM - 10:00 AM': cell('Lin Park', 'Cover', 2, { familiarity: 'new', minutes: 90 }),
            '10:00 AM - 11:30 AM': cell('Unassigned', 'Unassigned', 2, { minutes: 90 }),
          },
        },
        'Mo Diaz': {
          'Option 1': { '1:00 PM - 4:00 PM': cell('Ana Ruiz', 'Cancel', 1) },
          'Option 2': { '1:00 PM - 4:00 PM': cell('Ana Ruiz', 'Cancel', 2) },
        },
      },
    },
    metadata: {
      location: 'tampa',
      day: '2026-11-20',
      proposal: 'p_1',
      revision,
      queries: [],
      weekly_schedule: {},
      options: {
        '2026-11-20': { 'Option 1': figures('Balanced', 360, 3, 0), 'Option 2': figures('Fewest calls', 270, 3, 2) },
        '2026-11-23': {
          'Option 1': figures('Balanced', 180, 1, 0),
          'Option 2': figures('Fewest new faces', 180, 1, 0),
        },
      },
      client_figures: {
        '2026-11-20': {
          'Zoe Fox': { 'Option 1': part(180, 180), 'Option 2': part(180, 180, 1) },
          'Bo Lee': { 'Option 1': part(180, 180), 'Option 2': part(180, 90, 1) },
          'Mo Diaz': { 'Option 1': part(0, 0), 'Option 2': part(0, 0) },
        },
        '2026-11-23': { 'Bo Lee': { 'Option 1': part(180, 180), 'Option 2': part(180, 180) } },
      },
      claims: {
        '2026-11-20': {
          'Bo Lee': {
            'Option 1': [{ therapist: 'Kai Wood', from: 510, to: 690, changed: true }],
            'Option 2': [{ therapist: 'Lin Park', from: 510, to: 600, changed: true }],
          },
          'Zoe Fox': {
            'Option 1': [{ therapist: 'Lin Park', from: 540, to: 720, changed: true }],
            'Option 2': [{ therapist: 'Kai Wood', from: 540, to: 720, changed: true }],
          },
        },
      },
      versions: { '2026-11-20': 7, '2026-11-23': 2 },
    },
    backed_up_therapists: { '2026-11-20': [{ therapist: 'Ida Berg', begin: '08:00', end: '12:00' }] },
  };
}
