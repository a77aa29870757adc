import type { ComponentType, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Client, Therapist } from '@clinic/contract';
import type { ProfileApi } from './api/use-profiles.ts';
import type { ContactRow } from './contacts.ts';
import type { DrawnField } from './form-fields.ts';
import type { ProfileKind } from './model.ts';

export type Profile = Therapist | Client;
/** What every kind's form holds. */
export type ProfileForm = FieldValues & { contacts: ContactRow[] };

/** What differs between a therapist's profile and a client's; everything else is one modal. */
export interface ProfileSpec<P extends Profile, F extends FieldValues, B> {
  kind: ProfileKind;
  /** CSS length of the modal. */
  width: string;
  api: ProfileApi<P, B>;
  blank: () => F;
  toForm: (profile: P) => F;
  toBody: (form: F, version: number | undefined) => B;
  /** The fields by label, to list which of them changed. */
  labels: Readonly<Record<keyof F, string>>;
  /** The line under the title. */
  standing: (profile: P) => string;
  /** The first section: its title, its fields, and their text when viewed. */
  section: string;
  columns: 2 | 3;
  fields: Readonly<Record<string, DrawnField>>;
  facts: (profile: P) => readonly (readonly [string, ReactNode])[];
  /** The second section, viewed and edited. */
  View: ComponentType<{ profile: P; therapists: readonly Therapist[] }>;
  Edit: ComponentType<{ form: UseFormReturn<F>; therapists: readonly Therapist[] }>;
}
