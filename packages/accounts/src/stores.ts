/** The store interfaces of users, API keys, sessions, projects and the audit log, and their records. */
export { emptyMonth } from './audit/audit-store.ts'
export { readThrottle } from './account-stores.ts'
export { hashToken } from './sessions/tokens.ts'
export type {
  AccessGrant,
  AccountStores,
  CountersView,
  Identity,
  IdentityStore,
  IdentityView,
  KeyFilters,
  KeyGrant,
  KeyStore,
  KeyView,
  NewSecret,
  Session,
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
export type { ApiKey } from './keys/key.ts'
export type { Owner } from './owner.ts'
export type { Project } from './projects/project.ts'
export type {
  Invitation,
  InvitationStore,
  InvitationView,
  Member,
  MemberStore,
  MemberView,
  NamedMember,
  ProjectStore,
  ProjectView,
} from './projects/project-stores.ts'
export type { Passkey, PasskeyStore, PasskeyView } from './passkeys/passkey.ts'
export type { User, UserStatus } from './users/user.ts'
