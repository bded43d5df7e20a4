/** The store interfaces of users, API keys, sessions, projects and the audit log, and their records. */
export { emptyMonth } from './audit/audit-store.ts'
export { readThrottle } from './account-stores.ts'
export { hashToken } from './sessions/tokens.ts'
export type {
  AccessGrant,
  AccountStores,
  CountersView,
  IdentityRow,
  IdentityStore,
  IdentityView,
  KeyFilters,
  KeyGrant,
  KeyStore,
  KeyView,
  NewSecret,
  SessionRow,
  SessionStore,
  SessionView,
  ThrottleReading,
  ThrottleRule,
  ThrottleStore,
  ThrottleView,
  OwnerStore,
  OwnerView,
  UserFilters,
  UserStore,
  UserView,
  AccountTransaction,
  AccountView,
} from './account-stores.ts'
export type {
  AuditFilters,
  AuditMonth,
  AuditStore,
  AuditStores,
  AuditView,
  ChainedEntry,
  SignedHead,
  AuditLogView,
  AuditTransaction,
} from './audit/audit-store.ts'
export type { ApiKeyRow } from './keys/key.ts'
export type { Owner } from './owner.ts'
export type { ProjectRow } from './projects/project.ts'
export type {
  InvitationRow,
  InvitationStore,
  InvitationView,
  MemberRow,
  MemberStore,
  MemberView,
  NamedMember,
  ProjectStore,
  ProjectView,
} from './projects/project-stores.ts'
export type { PasskeyRow, PasskeyStore, PasskeyView } from './passkeys/passkey.ts'
export type { UserRow, UserStatus } from './users/user.ts'
