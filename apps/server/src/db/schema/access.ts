import type { Generated } from 'kysely';
import type { Role } from '@clinic/contract';
import type { Location } from '@clinic/domain';
import type { DefaultInstant, Instant, Json } from './columns.ts';

/** Accounts, their sessions, passkeys and invitations, and the audit trail. */
export interface AccessTables {
  account: AccountTable;
  session: SessionTable;
  invitation: InvitationTable;
  passkey: PasskeyTable;
  /** The secret address of a therapist's own calendar, for other programs. */
  calendar_feed: { account_id: string; secret_hash: Buffer; made_at: Instant; read_at: Instant | null };
  passkey_challenge: PasskeyChallengeTable;
  /** Which person of which issuer (OpenID Connect) an account belongs to. */
  account_identity: { issuer: string; subject: string; account_id: string; linked_at: Instant; used_at: Instant };
  sign_on: SignOnTable;
  second_factor: SecondFactorTable;
  recovery_code: { account_id: string; code_hash: Buffer };
  login_budget: { key: string; tokens: number; refilled_at: Instant };
  audit: AuditTable;
  audit_head: { chain: number; number: string; hash: Buffer };
}

interface AccountTable {
  id: Generated<string>;
  email: string;
  name: string;
  role: Role;
  locations: Location[] | null;
  /** The therapist who owns the account; null for all other roles. */
  therapist_id: string | null;
  /** The hash of the password; null for someone who logs in only with passkeys. */
  password_hash: string | null;
  demo: Generated<boolean>;
  /** Whether the person signs on with the clinic's account, and so needs no password here. */
  signs_on: Generated<boolean>;
  /** What the clinic's directory (SCIM) says of the person. */
  user_name: string | null;
  external_id: string | null;
  scim_roles: string[] | null;
  scim_deleted_at: Instant | null;
  disabled_at: Instant | null;
  created_at: DefaultInstant;
  updated_at: DefaultInstant;
}

interface SessionTable {
  id: Generated<string>;
  account_id: string;
  created_at: Instant;
  last_seen_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
  ended_why: 'signed-out' | 'idle' | 'expired' | 'disabled' | 'password' | null;
  /** How the session began; null: with a password. */
  way: 'passkey' | 'sign-on' | 'code' | null;
}

/** The secret of an account's authenticator app, sealed; not in use until `confirmed_at`. */
interface SecondFactorTable {
  account_id: string;
  secret: Buffer;
  made_at: Instant;
  confirmed_at: Instant | null;
  /** The time step of the code used last. */
  last_step: Generated<string>;
}

/** A sign-on under way: it waits for the issuer's answer (`nonce`, `verifier`), or for the page to fetch its token. */
interface SignOnTable {
  key_hash: Buffer;
  browser_hash: Buffer;
  nonce: string | null;
  verifier: string | null;
  account_id: string | null;
  expires_at: Instant;
}

interface InvitationTable {
  id: Generated<string>;
  /** The invited therapist; null for a colleague, whose account gets this `name`, `role` and `locations`. */
  therapist_id: string | null;
  name: string | null;
  role: Generated<Role>;
  locations: Location[] | null;
  email: string;
  secret_hash: Buffer | null;
  mailed_hashes: Generated<Buffer[]>;
  invited_by: string | null;
  invited_at: Instant;
  expires_at: Instant;
  used_at: Instant | null;
  withdrawn_at: Instant | null;
}

interface PasskeyTable {
  id: Generated<string>;
  account_id: string;
  credential_id: Buffer;
  /** The public key in COSE form. */
  public_key: Buffer;
  counter: string;
  transports: string[];
  name: string;
  created_at: Instant;
  used_at: Instant | null;
}

/** The purpose of a passkey challenge. */
export type PasskeyPurpose = 'log-in' | 'confirm' | 'add' | 'welcome';

interface PasskeyChallengeTable {
  challenge: Buffer;
  purpose: PasskeyPurpose;
  account_id: string | null;
  invitation_id: string | null;
  expires_at: Instant;
}

interface AuditTable {
  chain: number;
  number: string;
  at: Instant;
  account_id: string | null;
  action: string;
  subject_kind: string;
  subject_ids: string[];
  location: string | null;
  detail: Json<unknown>;
  request_id: string | null;
  prev_hash: Buffer;
  hash: Buffer;
}
