import type { ComponentType, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Client, Therapist } from '@clinic/contract';
import type { ProfileApi } from './api/use-profiles.ts';
import { requiredText, type ProfileKind } from './model.ts';

export type Profile = Therapist | Client;

/** A field of a profile's first section, as it is edited. */
export interface ProfileField<F> {
  name: Extract<keyof F, string>;
  label: string;
  /** A date, a choice or a text. */
  input: 'text' | 'date' | 'numeric' | ComponentType;
  required: boolean;
  /** What is wrong, or true. */
  check: (value: string) => true | string;
}

/** Fields that must be filled, each under its own label (PROF-06). */
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

/** What makes a therapist's profile a therapist's and a client's a client's; all else is one modal. */
export interface ProfileSpec<P extends Profile, F extends FieldValues, B> {
  kind: ProfileKind;
  /** CSS length of the modal. */
  width: string;
  api: ProfileApi<P, B>;
  blank: () => F;
  toForm: (profile: P) => F;
  toBody: (form: F, version: number | undefined) => B;
  /** The fields by their labels, for telling edits apart. */
  labels: Readonly<Record<keyof F, string>>;
  /** The line under the title. */
  standing: (profile: P) => string;
  /** The first section: its title, its fields, and what they read in the view. */
  section: string;
  columns: 2 | 3;
  fields: readonly ProfileField<F>[];
  facts: (profile: P) => readonly (readonly [string, ReactNode])[];
  /** The second section, seen and edited. */
  View: ComponentType<{ profile: P; therapists: readonly Therapist[] }>;
  Edit: ComponentType<{ form: UseFormReturn<F>; therapists: readonly Therapist[] }>;
}
