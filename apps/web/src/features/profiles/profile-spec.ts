import type { ComponentType, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Client, Therapist } from '@clinic/contract';
import type { ProfileApi } from './api/use-profiles.ts';
import { requiredText, type ProfileKind } from './model.ts';

export type Profile = Therapist | Client;

/** A field in a profile's first section, as it is edited. */
export interface ProfileField<F> {
  name: Extract<keyof F, string>;
  label: string;
  /** A date, a select or a text input. */
  input: 'text' | 'date' | 'numeric' | ComponentType;
  required: boolean;
  /** The error message, or true. */
  check: (value: string) => true | string;
}

/** Required fields, each with its own label (PROF-06). */
export const requiredFields =
  <F>(labels: Readonly<Record<keyof F, string>>) =>
  (
    name: ProfileField<F>['name'],
    input: ProfileField<F>['input'],
    check?: ProfileField<F>['check'],
  ): ProfileField<F> => ({
    name,
    input,
    label: labels[name],
    required: true,
    check: check ?? requiredText(labels[name]),
  });

/** Everything that differs between a therapist's profile and a client's; the modal is the same for both. */
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
  fields: readonly ProfileField<F>[];
  facts: (profile: P) => readonly (readonly [string, ReactNode])[];
  /** The second section, viewed and edited. */
  View: ComponentType<{ profile: P; therapists: readonly Therapist[] }>;
  Edit: ComponentType<{ form: UseFormReturn<F>; therapists: readonly Therapist[] }>;
}
