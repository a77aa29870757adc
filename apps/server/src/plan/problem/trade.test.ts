import { DEFAULT_RULES } from '@clinic/contract';
import { saveRules } from '../../ledgers/count/rules.ts';
import { buildClient, buildTherapist } from '../../testing/builders.ts';
import { DATE, useTrade } from '../../testing/trade-days.ts';

const s = useTrade();

s.test({
  'employment by date': {
    day: async () => {
      const id = await s.kai();
      return () => s.setTherapist(id, { start_date: '2026-12-14' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is not with the clinic on Wed, Dec 9',
  },
  'the last day of employment': {
    day: async () => {
      const id = await s.kai({ lastDay: DATE });
      return () => s.setTherapist(id, { end_date: '2026-12-08' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is not with the clinic on Wed, Dec 9',
  },
  'availability by date': {
    day: async () => {
      const id = await s.kai();
      return () =>
        s.db
          .updateTable('therapist_availability')
          .set({ from_date: '2026-12-14' })
          .where('therapist_id', '=', id)
          .execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 does not work then',
  },
  'new here': {
    day: async () => {
      const id = await s.kai();
      return () => s.setTherapist(id, { start_date: '2026-12-01' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is new here and does not know Bo Lee',
  },
  'how long a therapist is new here': {
    day: async () => {
      await s.kai({ firstDay: '2026-11-20' });
      return () => saveRules(s.db, { ...DEFAULT_RULES, new_here_days: 20 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is new here and does not know Bo Lee',
  },
  'needs that a therapist must meet': {
    day: async () => {
      await s.kai();
      await s.lou({ tags: ['spanish'] });
      return () => s.db.insertInto('client_need').values(s.need(true)).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Bo Lee needs: Spanish.',
  },
  'a skill with dates': {
    day: async () => {
      const id = await s.kai({ tags: [['Spanish', null, DATE]] });
      await s.db.insertInto('client_need').values(s.need(true)).execute();
      const over = { until_date: '2026-12-08' };
      return () => s.db.updateTable('therapist_tag').set(over).where('therapist_id', '=', id).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 does not have what Bo Lee needs: Spanish',
  },
  'needs that are better met': {
    day: async () => {
      await s.kai();
      await s.lou({ tags: ['spanish'] });
      return () => s.db.insertInto('client_need').values(s.need(false)).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Has what Bo Lee does best with: Spanish.',
  },
  'a credential with dates': {
    day: async () => {
      const therapist_id = await s.kai();
      await s.db.updateTable('client').set({ rbt_or_above: true }).where('id', '=', s.bo).execute();
      const expired = { therapist_id, credential: 'RBT' as const, until_date: '2026-12-08' };
      return () => s.db.insertInto('therapist_credential').values(expired).execute();
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 does not have the credential',
  },
  'most hours': {
    day: async () => {
      const id = await s.kai();
      await s.book(id, await buildClient(s.db), { date: '2026-12-11' });
      return () => s.setTherapist(id, { week_minutes: 120 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'most hours a day': {
    day: async () => {
      const id = await s.kai();
      await s.book(id, await buildClient(s.db), { start: '13:00', end: '15:00' });
      return () => s.setTherapist(id, { day_minutes: 120 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'hours at another location': {
    day: async () => {
      const id = await s.kai({ hours: { week: 3 } });
      const other = await buildClient(s.db, { location: 'tampa' });
      return () => s.book(id, other, { date: '2026-12-11', location: 'tampa', end: '12:00' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'a session at another location at that time': {
    day: async () => {
      const id = await s.kai();
      const other = await buildClient(s.db, { location: 'tampa' });
      return () => s.book(id, other, { start: '08:00', end: '12:00', location: 'tampa' });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 is booked at another location then',
  },
  'the clinic’s limit of hours': {
    day: async () => {
      const id = await s.kai();
      await s.book(id, await buildClient(s.db), { date: '2026-12-11' });
      return () => saveRules(s.db, { ...DEFAULT_RULES, week_hours: 2 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Unassigned',
    why: '1 may not take on more that day',
  },
  'cover of the last 28 days': {
    day: async () => {
      const id = await s.kai();
      await s.lou();
      return () => s.coverMuch(id, '09:00', '12:00');
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Booked 45 min of 40 h that week; no cover in 28 days.',
  },
  'few hours left': {
    day: async () => {
      const id = await s.kai();
      await s.lou();
      await s.book(id, await buildClient(s.db), { date: '2026-12-11' });
      return () => s.setTherapist(id, { week_minutes: 300 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Next best: Kai Wood. Would cover a lot that day and work outside their booked day, but would not lose admin time.',
  },
  'guaranteed hours': {
    day: async () => {
      const ids = { kai: await s.kai(), lou: await s.lou() };
      // The median of covered hours is lower with two more therapists, who are off that day and have covered nothing.
      for (let n = 0; n < 2; n++) await buildTherapist(s.db, { windows: [] });
      await s.coverMuch(ids.kai, '09:00', '12:00');
      await s.coverMuch(ids.lou, '13:00', '16:00');
      return () => s.setTherapist(ids.lou, { guaranteed_minutes: 1200 });
    },
    without: 'Bo Lee: Kai Wood',
    with: 'Bo Lee: Lou Vance',
    why: 'Booked 45 min of 40 h (20 h guaranteed) that week; covered 9 h in 28 days.',
  },
});
