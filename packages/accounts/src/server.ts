/** For servers: what they share with the feature of users, API keys, sessions, projects and the audit log. */
export { beginAuditLog } from './audit/announce-head.ts'
export { verifyAudit } from './audit/verify.ts'
export { issueSignInToken, createSignInTokens } from './sessions/sign-in-token.ts'
export { acceptsSecretKeys, adoptSecretKey, expectSecretKey } from './sessions/adopt-secret-key.ts'
export { userDefaults } from './users/user-defaults.ts'
export { passwordIssue, passwordNameIssue } from './sessions/passwords.ts'
export { displayPrefix, newApiKeyToken } from './sessions/tokens.ts'
export type { AuditCheck, AuditExpectation, AuditReport } from './audit/verify.ts'
