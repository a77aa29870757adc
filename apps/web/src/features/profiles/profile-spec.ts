import type { ComponentType, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Client, Therapist } from '@clinic/contract';
import type { ProfileApi } from './api/use-profiles.ts';
import type { ContactRow } from './contacts.ts';
import type { DrawnField } from './form-fields.ts';
import type { ProfileKind } from './model.ts';

export type Profile = Therapist | Client;
/** What the forms of therapists and clients have in common. */
export type ProfileForm = FieldValues & { contacts: ContactRow[] };

/** What differs between a therapist's profile and a client's. Both use the same modal for everything else. */
export interface ProfileSpec<P extends Profile, F extends FieldValues, B> {
  kind: ProfileKind;
  /** The modal's width, in CSS. */
  width: string;
  api: ProfileApi<P, B>;
  blank: () => F;
  toForm: (profile: P) => F;
  toBody: (form: F, version: number | undefined) => B;
  /** Each field's label, used to name the fields that changed. */
  labels: Readonly<Record<keyof F, string>>;
  /** The line below the profile's title. */
  standing: (profile: P) => string;
  /** The first section: its title, its form fields and their columns, and the facts that the view shows. */
  section: string;
  columns: 2 | 3;
  fields: Readonly<Record<string, DrawnField>>;
  facts: (profile: P) => readonly (readonly [string, ReactNode])[];
  /** The second section, in the view and in the form. */
  View: ComponentType<{ profile: P; therapists: readonly Therapist[] }>;
  Edit: ComponentType<{ form: UseFormReturn<F>; therapists: readonly Therapist[] }>;
}
