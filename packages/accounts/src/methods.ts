// Generated from the operations: npm run generate
import type { Method } from '@fairlead/core'

export interface AccountsMethods {
  readonly sessions: {
    /** Creates an account on the free tier and starts its first session. */
    readonly signup: Method<SignupInput, SignedIn>
    /** Logs in with an email address and a password. */
    readonly login: Method<LoginInput, SignedIn>
    /** Exchanges the one-time token of a sign-in link for a session. */
    readonly exchange: Method<ExchangeSignInTokenInput, SignedIn>
    /** Exchanges a refresh token for a new pair of tokens. */
    readonly refresh: Method<RefreshInput, TokenPair>
    /** Ends the session of an access token or a refresh token. */
    readonly logout: Method<LogoutInput, Logout>
    /** Lists the caller’s sessions, newest first. */
    readonly list: Method<SessionsInput, Session[]>
    /** Ends one of the caller’s sessions. */
    readonly end: Method<EndSessionInput, Deletion>
    /** Signs in the user of an identity that the program has verified, such as with OpenID Connect. */
    readonly signIn: Method<SignInWithIdentityInput, IdentitySignIn>
    /** Ends the sessions of a user who has logged out at the issuer of their identity. */
    readonly endOfIdentity: Method<EndIdentitySessionsInput, EndedSessions>
  }
  readonly passkeys: {
    /** Lists the passkeys of the caller or, for an admin, of another user, oldest first. */
    readonly list: Method<PasskeysInput, Passkey[]>
    /** Begins to add a passkey, in a session of the user. */
    readonly options: Method<PasskeyOptionsInput, PasskeyCeremony>
    /** Adds a passkey to the account of the caller. The first one ends the other sessions of the user. */
    readonly add: Method<AddPasskeyInput, Passkey>
    /** Renames a passkey of the caller. */
    readonly update: Method<UpdatePasskeyInput, Passkey>
    /** Removes a passkey of the caller. */
    readonly remove: Method<RemovePasskeyInput, Deletion>
    /** Removes all passkeys of another user, who has lost them, and ends their sessions. */
    readonly removeAll: Method<RemovePasskeysInput, RemovedPasskeys>
    /** Begins to log in with a passkey: after the password, or without one. */
    readonly loginOptions: Method<PasskeyLoginOptionsInput, PasskeyCeremony>
    /** Logs in with a passkey: after the password, or without one. */
    readonly login: Method<LoginWithPasskeyInput, SignedIn>
  }
  readonly apiKeys: {
    /** Lists the API keys of a user or a project, by default the caller, including revoked ones. */
    readonly list: Method<ApiKeysInput, ApiKey[]>
    /** Creates an API key. The secret is shown only once. */
    readonly create: Method<CreateApiKeyInput, ApiKeyWithSecret>
    /** Returns an API key and what is left of its budget: one of the caller’s own, or any for an admin. */
    readonly get: Method<ApiKeyInput, ApiKeyWithBudget>
    /** Changes the name, the scopes, the expiry, or the limits of an API key. Fields that are left out keep their value. */
    readonly update: Method<UpdateApiKeyInput, ApiKey>
    /** Revokes an API key immediately: one of the caller’s own, or any for an admin. Its record remains. */
    readonly revoke: Method<RevokeApiKeyInput, Deletion>
    /** Rotates the secret of an API key. The old one can stay valid for a grace period. */
    readonly rotate: Method<RotateApiKeyInput, ApiKeyWithSecret>
  }
  readonly users: {
    /** Lists users. Members see only themselves. */
    readonly list: Method<UsersInput, User[]>
    /** Creates a user, who can log in immediately. Without a budget or models, the user gets the defaults of the service. */
    readonly create: Method<CreateUserInput, User>
    /** Returns a user and what is left of their budget. Members can only get themselves. */
    readonly get: Method<UserInput, UserWithBudget>
    /** Replaces the writable fields of a user. Role, tier, quota limit and scope, budget, networks, models, status and password keep their value when left out. */
    readonly update: Method<UpdateUserInput, User>
    /** Updates fields of a user. Fields that are left out keep their value. */
    readonly patch: Method<PatchUserInput, User>
    /** Deletes a user with their sessions, API keys, webhooks, images and shipments. Projects without another active owner are transferred or removed. */
    readonly delete: Method<DeleteUserInput, Deletion>
    /** Mails a link to the email address of the caller, which verifies the address within 24 hours. */
    readonly sendEmailVerification: Method<SendEmailVerificationInput, EmailVerification>
    /** Verifies the email address of the caller with the token that was mailed to it. */
    readonly verifyEmail: Method<VerifyEmailInput, User>
  }
  readonly projects: {
    /** Lists the projects of the caller, the personal one first. Admins can list all projects, and those of another user. */
    readonly list: Method<ProjectsInput, Project[]>
    /** Creates a project with the tier and the quota of its owner, who is its first member and whose budget pays for it. */
    readonly create: Method<CreateProjectInput, Project>
    /** Returns a project of which the caller is a member, or any for an admin. */
    readonly get: Method<ProjectInput, Project>
    /** Updates a project. Its admins can change the name, and admins of the service the other fields. Fields that are left out keep their value. */
    readonly update: Method<UpdateProjectInput, Project>
    /** Deletes a project with its members, API keys, webhooks, images and shipments. */
    readonly delete: Method<DeleteProjectInput, Deletion>
    /** Lists the members of a project. */
    readonly members: Method<ProjectMembersInput, ProjectMember[]>
    /** Adds a user to a project, or changes the role of a member. */
    readonly setMember: Method<SetProjectMemberInput, ProjectMember>
    /** Removes a member from a project. Members can remove themselves. */
    readonly removeMember: Method<RemoveProjectMemberInput, Deletion>
    /** Lists the invitations to a project that can still be accepted. */
    readonly invitations: Method<ProjectInvitationsInput, Invitation[]>
    /** Creates an invitation to a project. Its token is shown only once, and is valid for seven days. */
    readonly invite: Method<CreateInvitationInput, InvitationWithToken>
    /** Deletes an invitation, which can then no longer be accepted. */
    readonly deleteInvitation: Method<DeleteInvitationInput, Deletion>
    /** Accepts an invitation: the caller becomes a member of its project. */
    readonly acceptInvitation: Method<AcceptInvitationInput, Project>
  }
  readonly usage: {
    /** Returns this month’s usage and the remaining units of each credential of the caller or, for an admin, of another user or of all users. */
    readonly get: Method<UsageInput, Usage>
    /** Returns the usage of the caller or, for an admin, of another user or of all users, grouped by day, hour, model, operation, API key, user or tag. */
    readonly timeseries: Method<UsageTimeseriesInput, UsageTimeseries>
  }
  readonly requests: {
    /** Lists metered requests, by default of the last 90 days, also those that were rejected: the caller’s own, or all of them for an admin. */
    readonly list: Method<RequestsInput, ApiRequest[]>
    /** Returns a metered request. */
    readonly get: Method<RequestInput, ApiRequest>
  }
}

export interface AuditMethods {
  readonly audit: {
    /** Lists the entries of the audit log: changes, and sign-ins. Admins and owners of a project, in it, list those of the project. */
    readonly list: Method<AuditLogInput, AuditEntry[]>
  }
}

export interface SignupInput {
  /** Email address, stored and compared in NFKC and lower case. */
  readonly email: string
  /** Password of 12 to 128 characters; not blank, not one of the most common passwords, and not derived from the email address or the name of the user, the company or the service. */
  readonly password: string
  /** Display name. */
  readonly name: string
}

/** The result of logging in. */
export interface SignedIn {
  /** The user who logged in. */
  user: User
  /** Access token. Send it as `Authorization: Bearer …`, like an API key. */
  accessToken: string
  /** Token type. */
  tokenType: 'Bearer'
  /** Lifetime of the access token in seconds. */
  expiresIn: number
  /** Refresh token: single-use, valid for 30 days, or until the session ends. */
  refreshToken: string
  /** Whether the session may only add a passkey, because the service requires one of admins, and the user has none. */
  passkeyRequired: boolean
}

/** A user account. */
export interface User {
  /** User id: `usr_` and digits. */
  id: string
  /** Email address, in lower case. */
  email: string
  /** Whether the email address is known to be the user’s. A changed address is not. */
  emailVerified: boolean
  /** Display name. */
  name: string
  /** The user’s role. Admins can read and change everything. */
  role: 'admin' | 'member'
  /** The tier, which sets the quota of the user’s keys. */
  tier: 'free' | 'pro' | 'enterprise'
  /** Requests per month and credential, for the tier enterprise. Null means no limit. */
  quotaLimit: number | null
  /** Whether each API key of the user has a monthly quota, or all of them share one. */
  quotaScope: 'key' | 'user'
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  budgetUsd: number | null
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  budgetPeriod: 'day' | 'week' | 'month' | null
  /** Networks from which the user’s sessions may be used: IP addresses and CIDRs. Null means all. API keys have their own networks. */
  allowedNetworks: string[] | null
  /** Models that the user may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. */
  models: string[] | null
  /** Every request of a suspended user is rejected, and every request for a project without another active owner. */
  status: 'active' | 'suspended'
  /** When the account was created. */
  createdAt: string
  /** When the account was last changed. */
  updatedAt: string
}

export interface LoginInput {
  /** Email address of the account. */
  readonly email: string
  /** Password, compared in NFKC. */
  readonly password: string
}

export interface ExchangeSignInTokenInput {
  /** The token: the text after `#sign-in=` in the link. */
  readonly token: string
  /** The secret of the browser that the token is for, which has it in a cookie. Default: a token for any browser. */
  readonly browser?: string | undefined
}

export interface RefreshInput {
  /** The refresh token of the last response. */
  readonly refreshToken: string
}

/** An access token and a refresh token. */
export interface TokenPair extends Omit<SignedIn, 'user'> {
  /** The user of the session. */
  user: User
}

export interface LogoutInput {
  /** Required if no access token is sent. */
  readonly refreshToken?: string | undefined
}

/** The result of logging out. */
export interface Logout {
  ended: true
}

export type SessionsInput = Record<string, never>

/** A login session. */
export interface Session {
  /** Session id: `ses_` and digits. */
  id: string
  /** Whether this request belongs to the session. */
  current: boolean
  /** Browser and system of the sign-in, such as `Firefox on Linux`, or the start of its `User-Agent` header. Null if it is unknown. */
  userAgent: string | null
  /** Network address of the sign-in. Null if it is unknown. */
  address: string | null
  /** When the session began. */
  createdAt: string
  /** When the session was last used, to the minute. */
  lastUsedAt: string
  /** When the session was last refreshed. */
  refreshedAt: string
  /** When the session expires unless it is refreshed. */
  expiresAt: string
}

export interface EndSessionInput {
  /** Session id. */
  readonly id: string
}

/** Confirms that a record was deleted, revoked or ended. */
export interface Deletion {
  /** Id of the deleted record. */
  id: string
  deleted: true
}

/** A project, and the role that an identity gives in it. */
export interface IdentityProjectInput {
  /** Project id: `prj_` and digits. */
  readonly projectId: string
  /** The role in the project. Null: the user is no member. */
  readonly role: 'viewer' | 'developer' | 'admin' | 'owner' | null
}

export interface SignInWithIdentityInput {
  /** The issuer of the identity, such as the URL of an OpenID Connect provider. */
  readonly issuer: string
  /** The issuer’s id of the user, which never belongs to another person. */
  readonly subject: string
  /** Email address, stored and compared in NFKC and lower case. */
  readonly email: string
  /** Whether the issuer knows that the email address is the user’s. Default: `false`. */
  readonly emailVerified?: boolean | undefined
  /** Display name. */
  readonly name: string
  /** The role from now on. Default: unchanged; `member` for a new user. */
  readonly role?: 'admin' | 'member' | undefined
  /** The tier from now on. Default: unchanged; `free` for a new user. */
  readonly tier?: 'free' | 'pro' | 'enterprise' | undefined
  /** The roles in projects from now on. Default: unchanged, as in projects that are not among them. */
  readonly projects?: readonly IdentityProjectInput[] | undefined
  /** The issuer’s id of the session (`sid`), if it has one. */
  readonly issuerSession?: string | undefined
  /** The token with which `confirmIdentity` confirms the session, at least daily, such as a refresh token. Stored encrypted. Default: the user signs in again after 24 hours. */
  readonly issuerToken?: string | undefined
  /** A random secret of the browser that began the sign-in, which alone can exchange the token: keep it in a cookie. Default: the token works in any browser. */
  readonly browser?: string | undefined
  /** Whether the identity gets the account with its verified email address even if that account has a password. Default: `false`. */
  readonly linkByEmail?: boolean | undefined
}

/** The result of signing in with an identity. */
export interface IdentitySignIn {
  /** The user, who is new at the first sign-in. */
  user: User
  /** A token to exchange once, within 15 minutes, for the tokens of the session. */
  token: string
}

export interface EndIdentitySessionsInput {
  /** The issuer of the identity, such as the URL of an OpenID Connect provider. */
  readonly issuer: string
  /** The issuer’s id of the user, which never belongs to another person. */
  readonly subject?: string | undefined
  /** The issuer’s id of the session (`sid`), if it has one. */
  readonly issuerSession?: string | undefined
  /** The id of the logout token (`jti`), which is accepted once. */
  readonly tokenId: string
}

/** The sessions that were ended. */
export interface EndedSessions {
  /** The number of sessions that were ended. */
  ended: number
}

export interface PasskeysInput {
  /** Id of the user. Only admins may name another one. Default: the caller. */
  readonly userId?: string | undefined
}

/** A passkey of a user, without its key. */
export interface Passkey {
  /** Passkey id: `pky_` and digits. */
  id: string
  /** Display name. */
  name: string
  /** Whether the passkey is backed up, so that it outlasts the device. */
  isBackedUp: boolean
  /** When the passkey was added. */
  createdAt: string
  /** When the user last signed in with it. Null: never. */
  lastUsedAt: string | null
}

export interface PasskeyOptionsInput {
  /** Current password. Required of users who have one. */
  readonly currentPassword?: string | undefined
}

/** The options with which a browser creates or uses a passkey. */
export interface PasskeyCeremony {
  /** Token to send with the response of the browser, once, within five minutes. */
  token: string
  /** Options in JSON, for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
  options: Record<string, unknown>
}

export interface AddPasskeyInput {
  /** The token of the options. */
  readonly token: string
  /** The response of the browser, as `toJSON()` of the new credential returns it. */
  readonly response: Readonly<Record<string, unknown>>
  /** Display name. Default: the browser and the system. */
  readonly name?: string | undefined
}

export interface UpdatePasskeyInput {
  /** Passkey id. */
  readonly id: string
  /** Display name. */
  readonly name: string
}

export interface RemovePasskeyInput {
  /** Passkey id. */
  readonly id: string
}

export interface RemovePasskeysInput {
  /** User id: `usr_` and digits. */
  readonly id: string
}

/** The passkeys that were removed. */
export interface RemovedPasskeys {
  /** The number of passkeys that were removed. */
  removed: number
}

export interface PasskeyLoginOptionsInput {
  /** The token of an error with the reason `second_factor_required`. Default: the browser asks for any passkey, and verifies the user. */
  readonly token?: string | undefined
}

export interface LoginWithPasskeyInput {
  /** The token of the options. */
  readonly token: string
  /** The response of the browser, as `toJSON()` of the credential returns it. */
  readonly response: Readonly<Record<string, unknown>>
}

/** The input fields of every list, besides its filters. */
export interface PageInput {
  /** Maximum number of records in the page. Default: `20`. */
  readonly limit?: number | undefined
  /** Cursor of the page, from the previous page. Default: the first page. */
  readonly cursor?: string | undefined
  /** Sort order: oldest or newest first. Default: `"-created_at"`. */
  readonly sort?: 'created_at' | '-created_at' | undefined
}

export interface ApiKeysInput extends PageInput {
  /** Only keys whose name or prefix contains this text. ASCII letters match in either case. */
  readonly search?: string | undefined
  /** Only keys with this status. */
  readonly status?: 'active' | 'expired' | 'revoked' | undefined
  /** Id of the user or the project. Only admins may name another one. Default: the caller. */
  readonly userId?: string | undefined
}

/** An API key, without its secret. */
export interface ApiKey {
  /** API key id: `key_` and digits. */
  id: string
  /** Display name. */
  name: string
  /** First ten characters of the secret. */
  prefix: string
  /** Scopes of the key. */
  scopes: string[]
  /** Tier of the owner. */
  tier: 'free' | 'pro' | 'enterprise'
  /** Requests per month. Null means no limit. */
  quotaLimit: number | null
  /** Models that the key may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. */
  models: string[] | null
  /** Metered requests per minute. Null means no limit except the tier’s. */
  requestsPerMinute: number | null
  /** Prompt and completion tokens per minute. Null means no limit. */
  tokensPerMinute: number | null
  /** Model calls at the same time. Null means no limit. */
  maxConcurrency: number | null
  /** Networks from which the key may be used: IP addresses and CIDRs. Null means all. */
  allowedNetworks: string[] | null
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  budgetUsd: number | null
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  budgetPeriod: 'day' | 'week' | 'month' | null
  /** Tags of all requests with the key, at most 16 pairs. Null means none. */
  metadata: Record<string, string> | null
  /** Whether the `metadata` that clients of OpenAI’s API send are tags of their requests, too. */
  tagsFromMetadata: boolean
  /** Id of the API key or session that created the key. Null if it is unknown, as for the first key. */
  createdBy: string | null
  /** When the key was created. */
  createdAt: string
  /** When the key was last used, to the minute. Null if never. */
  lastUsedAt: string | null
  /** When the key expires. Null if never. */
  expiresAt: string | null
  /** When the key was revoked. Null if it was not. */
  revokedAt: string | null
}

export interface CreateApiKeyInput {
  /** Display name. */
  readonly name: string
  /** Scopes of the key: at most the scopes of the caller’s own credential. Default: `["generate","analyze","models"]`. */
  readonly scopes?: readonly string[] | undefined
  /** When the key expires. Default: with the API key that creates it, or never in a session. Default: `null`. */
  readonly expiresAt?: string | null | undefined
  /** Models that the key may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. Default: `null`. */
  readonly models?: readonly string[] | null | undefined
  /** Metered requests per minute. Null means no limit except the tier’s. Default: `null`. */
  readonly requestsPerMinute?: number | null | undefined
  /** Prompt and completion tokens per minute. Null means no limit. Default: `null`. */
  readonly tokensPerMinute?: number | null | undefined
  /** Model calls at the same time. Null means no limit. Default: `null`. */
  readonly maxConcurrency?: number | null | undefined
  /** Networks from which the key may be used: IP addresses and CIDRs. Null means all. Default: `null`. */
  readonly allowedNetworks?: readonly string[] | null | undefined
  /** Requests per month, at most the tier’s limit. Null means the tier’s limit. Default: `null`. */
  readonly quotaLimit?: number | null | undefined
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. Default: `null`. */
  readonly budgetUsd?: number | null | undefined
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. Default: `null`. */
  readonly budgetPeriod?: 'day' | 'week' | 'month' | null | undefined
  /** Tags of all requests with the key, at most 16 pairs. Null means none. Default: `null`. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
  /** Whether the `metadata` that clients of OpenAI’s API send are tags of their requests, too. Default: `false`. */
  readonly tagsFromMetadata?: boolean | undefined
}

/** An API key with its secret, which is shown only once. */
export interface ApiKeyWithSecret extends ApiKey {
  /** The secret, shown only once: only its hash is stored. */
  secret: string
}

export interface ApiKeyInput {
  /** API key id. */
  readonly id: string
}

/** An API key, and what is left of its budget. */
export interface ApiKeyWithBudget extends ApiKey {
  /** The rest of the budget. Null without one. */
  budget: {
    /** Whose budget it is. */
    kind: 'key' | 'user' | 'project'
    /** Id of the API key, the user or the project. */
    id: string
    /** The budget in US dollars. */
    limitUsd: number
    /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
    period: 'day' | 'week' | 'month' | null
    /** Spent in this period, in US dollars. */
    spentUsd: number
    /** Reserved by requests in progress, in US dollars. */
    reservedUsd: number
    /** The amount that new requests can spend, in US dollars. */
    remainingUsd: number
    /** When the budget resets. Null for a total. */
    resetsAt: string | null
  } | null
}

export interface UpdateApiKeyInput {
  /** API key id. */
  readonly id: string
  /** Display name. */
  readonly name?: string | undefined
  /** Scopes of the key: at most the scopes of the caller’s own credential. */
  readonly scopes?: readonly string[] | undefined
  /** When the key expires. Null: with the API key that created it, or never. The keys that it created expire no later. */
  readonly expiresAt?: string | null | undefined
  /** Models that the key may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. */
  readonly models?: readonly string[] | null | undefined
  /** Metered requests per minute. Null means no limit except the tier’s. */
  readonly requestsPerMinute?: number | null | undefined
  /** Prompt and completion tokens per minute. Null means no limit. */
  readonly tokensPerMinute?: number | null | undefined
  /** Model calls at the same time. Null means no limit. */
  readonly maxConcurrency?: number | null | undefined
  /** Networks from which the key may be used: IP addresses and CIDRs. Null means all. */
  readonly allowedNetworks?: readonly string[] | null | undefined
  /** Requests per month, at most the tier’s limit. Null means the tier’s limit. */
  readonly quotaLimit?: number | null | undefined
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  readonly budgetUsd?: number | null | undefined
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  readonly budgetPeriod?: 'day' | 'week' | 'month' | null | undefined
  /** Tags of all requests with the key, at most 16 pairs. Null means none. */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
  /** Whether the `metadata` that clients of OpenAI’s API send are tags of their requests, too. */
  readonly tagsFromMetadata?: boolean | undefined
}

export interface RevokeApiKeyInput {
  /** API key id. */
  readonly id: string
  /** Whether to revoke also the keys that it created, those that they created, and so on. Default: `false`. */
  readonly children?: boolean | undefined
}

export interface RotateApiKeyInput {
  /** API key id. */
  readonly id: string
  /** How many seconds the old secret stays valid. Default: `0`. */
  readonly graceSeconds?: number | undefined
}

export interface UsersInput extends PageInput {
  /** Only the user with this email address. */
  readonly email?: string | undefined
  /** Only users with this role. */
  readonly role?: 'admin' | 'member' | undefined
  /** Only users of this tier. */
  readonly tier?: 'free' | 'pro' | 'enterprise' | undefined
}

export interface CreateUserInput extends SignupInput {
  /** Whether the email address is known to be the user’s. Default: true, because an admin names it. Default: `true`. */
  readonly emailVerified?: boolean | undefined
  /** The user’s role. Admins can read and change everything. Default: `"member"`. */
  readonly role?: 'admin' | 'member' | undefined
  /** The tier, which sets the quota of the user’s keys. Default: `"free"`. */
  readonly tier?: 'free' | 'pro' | 'enterprise' | undefined
  /** Requests per month and credential, for the tier enterprise. Null means no limit. Default: `null`. */
  readonly quotaLimit?: number | null | undefined
  /** Whether each API key of the user has a monthly quota, or all of them share one. Default: `"key"`. */
  readonly quotaScope?: 'key' | 'user' | undefined
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. Default: `null`. */
  readonly budgetUsd?: number | null | undefined
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. Default: `null`. */
  readonly budgetPeriod?: 'day' | 'week' | 'month' | null | undefined
  /** Networks from which the user’s sessions may be used: IP addresses and CIDRs. Null means all. API keys have their own networks. Default: `null`. */
  readonly allowedNetworks?: readonly string[] | null | undefined
  /** Models that the user may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. Default: `null`. */
  readonly models?: readonly string[] | null | undefined
  /** Every request of a suspended user is rejected, and every request for a project without another active owner. Default: `"active"`. */
  readonly status?: 'active' | 'suspended' | undefined
}

export interface UserInput {
  /** User id, or `me` for the caller. */
  readonly id: string
}

/** A user account, and what is left of its budget. */
export interface UserWithBudget extends User {
  /** The rest of the budget. Null without one. */
  budget: {
    /** Whose budget it is. */
    kind: 'key' | 'user' | 'project'
    /** Id of the API key, the user or the project. */
    id: string
    /** The budget in US dollars. */
    limitUsd: number
    /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
    period: 'day' | 'week' | 'month' | null
    /** Spent in this period, in US dollars. */
    spentUsd: number
    /** Reserved by requests in progress, in US dollars. */
    reservedUsd: number
    /** The amount that new requests can spend, in US dollars. */
    remainingUsd: number
    /** When the budget resets. Null for a total. */
    resetsAt: string | null
  } | null
}

export interface UpdateUserInput {
  /** User id: `usr_` and digits. */
  readonly id: string
  /** Email address, stored and compared in NFKC and lower case. */
  readonly email: string
  /** Whether the email address is known to be the user’s. Set by admins; false if the address changes without it. */
  readonly emailVerified?: boolean | undefined
  /** Display name. */
  readonly name: string
  /** The user’s role. Admins can read and change everything. */
  readonly role?: 'admin' | 'member' | undefined
  /** The tier, which sets the quota of the user’s keys. */
  readonly tier?: 'free' | 'pro' | 'enterprise' | undefined
  /** Requests per month and credential, for the tier enterprise. Null means no limit. */
  readonly quotaLimit?: number | null | undefined
  /** Whether each API key of the user has a monthly quota, or all of them share one. */
  readonly quotaScope?: 'key' | 'user' | undefined
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  readonly budgetUsd?: number | null | undefined
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  readonly budgetPeriod?: 'day' | 'week' | 'month' | null | undefined
  /** Networks from which the user’s sessions may be used: IP addresses and CIDRs. Null means all. API keys have their own networks. */
  readonly allowedNetworks?: readonly string[] | null | undefined
  /** Models that the user may call: ids of models, routes and aliases, in which `*` stands for any text. Null means all. */
  readonly models?: readonly string[] | null | undefined
  /** Every request of a suspended user is rejected, and every request for a project without another active owner. */
  readonly status?: 'active' | 'suspended' | undefined
  /** New password. It ends the user’s other sessions. */
  readonly password?: string | undefined
  /** Current password. Required of users who change their own email address or password, which needs a session. A user without a password can set the first one without it. */
  readonly currentPassword?: string | undefined
  /** When the account was created. */
  readonly createdAt?: string | undefined
  /** When the account was last changed. */
  readonly updatedAt?: string | undefined
  /** Ignored, because it is read-only, and each call changes it. */
  readonly budget?: {} | null | undefined
}

export interface PatchUserInput extends Pick<
  UpdateUserInput,
  | 'id'
  | 'emailVerified'
  | 'role'
  | 'tier'
  | 'quotaLimit'
  | 'quotaScope'
  | 'budgetUsd'
  | 'budgetPeriod'
  | 'allowedNetworks'
  | 'models'
  | 'status'
  | 'password'
  | 'currentPassword'
> {
  /** Email address, stored and compared in NFKC and lower case. */
  readonly email?: string | undefined
  /** Display name. */
  readonly name?: string | undefined
}

export interface DeleteUserInput {
  /** User id: `usr_` and digits. */
  readonly id: string
  /** Id of the user who becomes the owner of the projects that would have no active owner. */
  readonly transferTo?: string | undefined
  /** Whether to delete the projects that would have no active owner. */
  readonly removeProjects?: boolean | undefined
}

export type SendEmailVerificationInput = Record<string, never>

/** A link that was mailed. */
export interface EmailVerification {
  /** The email address to which the link is mailed. */
  email: string
  /** When the link expires: 24 hours later. */
  expiresAt: string
}

export interface VerifyEmailInput {
  /** The token of the link. */
  readonly token: string
}

export interface ProjectsInput extends PageInput {
  /** Whether to list all projects but personal ones. For admins. */
  readonly allUsers?: boolean | undefined
  /** Only projects of which this user is a member, without the personal one. Default: the caller. */
  readonly userId?: string | undefined
  /** Whether to list only projects whose only active owner the user is, or would be if active. They stop while the user is suspended. */
  readonly soleOwner?: boolean | undefined
}

/** A project, which owns API keys, webhooks and records. */
export interface Project {
  /** Project id: `prj_` and digits. */
  id: string
  /** Display name. */
  name: string
  /** Whether it is the caller’s own account, which cannot be shared. */
  personal: boolean
  /** Role of the caller, or of the user whose projects are listed. Admins of the service are owners of every project. */
  role: 'viewer' | 'developer' | 'admin' | 'owner'
  /** The tier, which sets the quota of the project’s keys. */
  tier: 'free' | 'pro' | 'enterprise'
  /** Requests per month and credential, for the tier enterprise. Null means no limit. */
  quotaLimit: number | null
  /** Whether each API key of the project has a monthly quota, or all keys and members share one. */
  quotaScope: 'key' | 'project'
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  budgetUsd: number | null
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  budgetPeriod: 'day' | 'week' | 'month' | null
  /** Whether only its own budget applies. Otherwise, its requests count toward the budget of its creator, too. */
  funded: boolean
  /** Every request for a suspended project is rejected. */
  status: 'active' | 'suspended'
  /** Id of the user who created it. Null if it was created for nobody. */
  createdBy: string | null
  /** When the project was created. */
  createdAt: string
  /** When the project was last changed. */
  updatedAt: string
}

export interface CreateProjectInput {
  /** Display name. */
  readonly name: string
  /** Id of the owner. Only admins may name another user. Default: the caller. */
  readonly ownerId?: string | undefined
}

export interface ProjectInput {
  /** Project id: `prj_` and digits. */
  readonly id: string
}

export interface UpdateProjectInput {
  /** Project id: `prj_` and digits. */
  readonly id: string
  /** Display name. */
  readonly name?: string | undefined
  /** The tier, which sets the quota of the project’s keys. */
  readonly tier?: 'free' | 'pro' | 'enterprise' | undefined
  /** Requests per month and credential, for the tier enterprise. Null means no limit. */
  readonly quotaLimit?: number | null | undefined
  /** Whether each API key of the project has a monthly quota, or all keys and members share one. */
  readonly quotaScope?: 'key' | 'project' | undefined
  /** The maximum cost of model calls in each period, in US dollars. Null means no budget. */
  readonly budgetUsd?: number | null | undefined
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  readonly budgetPeriod?: 'day' | 'week' | 'month' | null | undefined
  /** Whether only its own budget applies. Otherwise, its requests count toward the budget of its creator, too. */
  readonly funded?: boolean | undefined
  /** Every request for a suspended project is rejected. */
  readonly status?: 'active' | 'suspended' | undefined
}

export type DeleteProjectInput = ProjectInput

export interface ProjectMembersInput extends PageInput {
  /** Project id: `prj_` and digits. */
  readonly projectId: string
}

/** A member of a project. */
export interface ProjectMember {
  /** Id of the user. */
  userId: string
  /** Name of the user. */
  name: string
  /** Email address of the user. */
  email: string
  /** Role in the project. */
  role: 'viewer' | 'developer' | 'admin' | 'owner'
  /** When the user became a member. */
  createdAt: string
}

export interface SetProjectMemberInput {
  /** Project id: `prj_` and digits. */
  readonly projectId: string
  /** Id of the user. Either this or `email` is required. */
  readonly userId?: string | undefined
  /** Verified email address of the user. Invite the others. */
  readonly email?: string | undefined
  /** Role in the project, at most the caller’s own. */
  readonly role: 'viewer' | 'developer' | 'admin' | 'owner'
}

export interface RemoveProjectMemberInput {
  /** Project id: `prj_` and digits. */
  readonly projectId: string
  /** Id of the user. */
  readonly userId: string
}

export type ProjectInvitationsInput = ProjectMembersInput

/** An invitation to a project, without its token. */
export interface Invitation {
  /** Invitation id: `inv_` and digits. */
  id: string
  /** Id of the project. */
  projectId: string
  /** The role that it gives. */
  role: 'viewer' | 'developer' | 'admin' | 'owner'
  /** Only the user with this verified email address can accept it, or with this one and the link that was mailed. Null: any user. */
  email: string | null
  /** Id of the user who created it. Null for a program. */
  createdBy: string | null
  /** When it was created. */
  createdAt: string
  /** When it expires: seven days later. */
  expiresAt: string
}

export interface CreateInvitationInput {
  /** Project id: `prj_` and digits. */
  readonly projectId: string
  /** The role that it gives, at most the caller’s own. */
  readonly role: 'viewer' | 'developer' | 'admin' | 'owner'
  /** Only the user with this verified email address can accept it, or with this one and the link that was mailed. Null: any user. Default: `null`. */
  readonly email?: string | null | undefined
}

/** An invitation with its token, which is shown only once. */
export interface InvitationWithToken extends Invitation {
  /** The token, shown only once. Who has it can accept the invitation once. */
  token: string
  /** Whether the service also mails it to the email address. */
  mailed: boolean
}

export interface DeleteInvitationInput {
  /** Project id: `prj_` and digits. */
  readonly projectId: string
  /** Invitation id: `inv_` and digits. */
  readonly invitationId: string
}

export interface AcceptInvitationInput {
  /** The token of the invitation. */
  readonly token: string
}

export interface UsageInput {
  /** Id of the user or the project. Only admins may name another one. Default: the caller. */
  readonly userId?: string | undefined
  /** Whether to return the usage of all users. For admins. */
  readonly allUsers?: boolean | undefined
}

/** The usage of a user this month. */
export interface Usage {
  /** Current calendar month in UTC, as `YYYY-MM`. */
  period: string
  /** When the counters reset. */
  resetsAt: string
  /** The user’s tier. With `all_users`, the caller’s. */
  tier: 'free' | 'pro' | 'enterprise'
  /** All sessions as one entry, then each API key that was usable this month. With `all_users`, the 100 credentials with the highest cost this month. */
  credentials: CredentialUsage[]
  /** The budgets of the user or the project, of the user whose budget pays for the project, and of these API keys. With `all_users`, those of the users and projects of these credentials. */
  budgets: BudgetStatus[]
  /** The images of the user, the project, or the user who pays for the project. Absent with `all_users`. */
  images?: ImageUsage | undefined
}

/** The usage of one credential this month. */
export interface CredentialUsage {
  /** Kind of credential. All sessions of a user count as one. */
  kind: 'key' | 'session'
  /** API key id. Null for sessions. */
  id: string | null
  /** API key name. Null for sessions. */
  name: string | null
  /** The user or the project whose credential it is. */
  userId: string
  /** Requests per month. Null means no limit. */
  limit: number | null
  /** Units used this month. */
  used: number
  /** Units left this month, of all credentials if the user’s credentials share a quota. Null means no limit. */
  remaining: number | null
  /** Usage by operation. */
  operations: OperationUsage[]
}

/** The usage of one operation. */
export interface OperationUsage {
  /** Operation name. */
  operation: string
  /** Number of requests. */
  requests: number
  /** Number of failed requests. */
  errors: number
  /** Units charged. */
  charged: number
  /** Cost in US dollars. */
  costUsd: number
}

/** A budget, and what is left of it. */
export interface BudgetStatus {
  /** Whose budget it is. */
  kind: 'key' | 'user' | 'project'
  /** Id of the API key, the user or the project. */
  id: string
  /** The budget in US dollars. */
  limitUsd: number
  /** Period after which the budget resets, in UTC. Null means never: the budget is a total. */
  period: 'day' | 'week' | 'month' | null
  /** Spent in this period, in US dollars. */
  spentUsd: number
  /** Reserved by requests in progress, in US dollars. */
  reservedUsd: number
  /** The amount that new requests can spend, in US dollars. */
  remainingUsd: number
  /** When the budget resets. Null for a total. */
  resetsAt: string | null
}

/** The storage that the images of an account use. */
export interface ImageUsage {
  /** Bytes of the images that are kept. */
  bytes: number
  /** How many bytes they may take up. Null means no limit. */
  limitBytes: number | null
}

/** Grouping of usage. */
export type UsageGrouping = 'day' | 'hour' | 'model' | 'operation' | 'key' | 'user' | 'tag'

export interface UsageTimeseriesInput extends UsageInput {
  /** Start of the period, rounded down to the hour. Default: 30 days before `to`. */
  readonly from?: string | undefined
  /** End of the period, rounded up to the hour. Default: now. */
  readonly to?: string | undefined
  /** Grouping. Days are in UTC. Default: `"day"`. */
  readonly groupBy?: UsageGrouping | undefined
  /** Splits each group further, such as days by model. */
  readonly splitBy?: 'model' | 'operation' | 'key' | 'user' | 'tag' | undefined
  /** Name of a tag. Only requests with it, of whole days, by day, user, or value of the tag. */
  readonly tag?: string | undefined
  /** Only requests with this value of the tag. */
  readonly tagValue?: string | undefined
}

/** Usage in groups. */
export interface UsageTimeseries {
  /** Start of the period, rounded down to the hour. */
  from: string
  /** End of the period, rounded up to the hour. */
  to: string
  /** Grouping of the usage. */
  groupBy: 'day' | 'hour' | 'model' | 'operation' | 'key' | 'user' | 'tag'
  /** Groups with usage, in order; users and values of a tag by their cost, the highest first. */
  groups: UsageGroup[]
}

/** The usage of one group. */
export interface UsageGroup {
  /** The group: a day as `YYYY-MM-DD`, the start of an hour, a model, an operation, a user id, the value of a tag, or an API key id or `sessions`. `other` for all but the 100 values of a tag, or with `all_users` the 100 users or keys, with the highest cost. */
  group: string | null
  /** With `split_by`: the model, operation, API key, user or value of a tag, or `other` for all but the eight most used. */
  split?: string | null | undefined
  /** Name of the user or API key of the group. Null for all other groups. */
  name?: string | null | undefined
  /** Number of requests. */
  requests: number
  /** Number of failed requests. */
  errors: number
  /** Median latency in milliseconds. */
  latencyP50Ms: number | null
  /** 95th percentile latency in milliseconds. */
  latencyP95Ms: number | null
  /** Median time to the first token of streams in milliseconds. Null without streams. */
  firstTokenP50Ms: number | null
  /** 95th percentile time to the first token of streams in milliseconds. Null without streams. */
  firstTokenP95Ms: number | null
  /** Prompt tokens. */
  promptTokens: number
  /** Completion tokens. */
  completionTokens: number
  /** Total tokens. */
  totalTokens: number
  /** Cost in US dollars. */
  costUsd: number
}

export interface RequestsInput extends PageInput {
  /** Only operations of this request. */
  readonly requestId?: string | undefined
  /** Only requests with this API key, or `sessions` for access tokens. */
  readonly keyId?: string | undefined
  /** Only requests to this model. */
  readonly model?: string | undefined
  /** Only this operation, such as `generate`. */
  readonly operation?: string | undefined
  /** Only requests with this status: `ok`, `partial`, `aborted`, an error code, or `error` for all but `ok`. */
  readonly status?: string | undefined
  /** Only requests that used a unit of the quota, or only those that did not. */
  readonly charged?: boolean | undefined
  /** Only requests with this tag. */
  readonly tag?: string | undefined
  /** Only requests with this value of the tag. */
  readonly tagValue?: string | undefined
  /** Only requests of this user or project. */
  readonly userId?: string | undefined
  /** For admins: whether to list the requests of all users. Default: true, unless `user_id` is given. */
  readonly allUsers?: boolean | undefined
  /** Only requests after this time. */
  readonly createdAfter?: string | undefined
  /** Only requests before this time. */
  readonly createdBefore?: string | undefined
}

/** A metered request in the usage log. */
export interface ApiRequest {
  /** Id of this record: `run_` and digits. */
  id: string
  /** Id of the request, as in `X-Request-Id`. A GraphQL request has a record for each metered field. */
  requestId: string
  /** Operation name, such as `generate`. */
  operation: string
  /** `ok`, an error code, `partial` for a stream that failed or was closed after it began, or `aborted` if the client closed the request. */
  status: string
  /** Whether the request used a unit of the quota. A rejected request did not. */
  charged: boolean
  /** When the request began. */
  createdAt: string
  /** Duration in milliseconds. */
  durationMs: number
  /** Time from the start of the request to the first chunk of its stream, in milliseconds. Null if not streamed. */
  firstTokenMs: number | null
  /** Time that the request waited for a free slot of its model, in milliseconds. Null if it did not wait. */
  queuedMs: number | null
  /** The user or the project that the request belongs to. */
  userId: string
  /** Name of the user or the project. Null if it was deleted. */
  userName: string | null
  /** API key id. Null for a request with an access token. */
  keyId: string | null
  /** Name of the API key. Null for an access token, and for a deleted key. */
  keyName: string | null
  /** Model id. Null for operations without a model. */
  model: string | null
  /** The last provider that was called. Null if none was. */
  provider: string | null
  /** Prompt tokens. */
  promptTokens: number
  /** Completion tokens. */
  completionTokens: number
  /** Total tokens. */
  totalTokens: number
  /** Completion tokens that were reasoning. Null if the provider did not count them. */
  reasoningTokens: number | null
  /** Prompt tokens that the provider read from its cache. Null if unknown. */
  cachedPromptTokens: number | null
  /** Cost in US dollars. */
  costUsd: number
  /** Whether a stream was requested. Null for operations without a model, and if the input was rejected. */
  stream: boolean | null
  /** Whether the response came from the cache. Null if no provider was chosen. */
  cached: boolean | null
  /** Tags of the request and of its API key. */
  tags: Record<string, string>
  /** The message of the error. Null for a success. */
  errorMessage: string | null
  /** HTTP status of the provider behind the error. Null if there was none. */
  upstreamStatus: number | null
  /** The calls to providers in order, the last ten at most. Empty for a success with one call. */
  attempts: ApiRequestAttempt[]
}

/** A call to a provider. */
export interface ApiRequestAttempt {
  /** The provider. */
  provider: string
  /** Model id, as the provider knows it. */
  model: string
  /** `ok`, `canceled`, or why it failed: `retry`, `rate_limited`, `timeout`, `credential`, `invalid_request`, `too_long`, `content_refused`, `give_up` or `defect`. */
  outcome: string
  /** HTTP status of the provider. Null for a success, and if it is unknown. */
  upstreamStatus: number | null
  /** Duration in milliseconds. */
  durationMs: number
}

export interface RequestInput {
  /** Id of the record, or of the request: `req_` and digits. A request has a record for each operation; the first is returned. */
  readonly id: string
}

export interface AuditLogInput extends PageInput {
  /** Only what this user did, `operator`, or `service`. */
  readonly actor?: string | undefined
  /** Only what was done with this API key, or in this session. */
  readonly credential?: string | undefined
  /** Only this operation, such as `createApiKey`. */
  readonly action?: string | undefined
  /** Only entries with this outcome: `ok`, or an error code. */
  readonly outcome?: string | undefined
  /** Only what belongs to this project. */
  readonly projectId?: string | undefined
  /** Only what was done to the record with this id. */
  readonly target?: string | undefined
  /** Only entries after this time. */
  readonly createdAfter?: string | undefined
  /** Only entries before this time. */
  readonly createdBefore?: string | undefined
}

/** A change, or a failed sign-in. */
export interface AuditEntry {
  /** Entry id: `aud_` and digits. */
  id: string
  /** When it happened. */
  createdAt: string
  /** The operation, such as `createApiKey`. */
  action: string
  /** `ok`, or the error code of a failed sign-in. */
  outcome: string
  /** The user who did it, the project for one of its API keys, `operator` for the operator of the service, or `service` for the service itself. Null if it is not known. */
  actor: string | null
  /** Id of the API key or session. Null for other credentials. */
  credential: string | null
  /** The project to which the target belongs. Null for all others. */
  projectId: string | null
  target: AuditTarget
  /** The fields that changed, in snake_case, before the change. Null for what did not exist. */
  before: Record<string, unknown> | null
  /** The same fields after the change. Null for what was removed. */
  after: Record<string, unknown> | null
  /** The network address of the caller. Null if there is none. */
  address: string | null
  /** The request: `req_` and digits. Null if there was none. */
  requestId: string | null
}

/** The record that was changed. */
export interface AuditTarget {
  /** Its type, such as `user`, `api_key`, `webhook` or `session`. */
  type: string
  /** Its id. Null for a sign-in with an unknown email address. */
  id: string | null
}
