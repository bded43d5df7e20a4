import * as z from 'zod'
import { type Caller, FairleadError, type Issue, type OperationRun } from '@fairlead/core'
import type { Scope } from '@fairlead/core/stores'
import { invalidRequest } from '@fairlead/core/adapter'
import { explainChoices, scopeName, nearest } from '@fairlead/core/feature'
import { isProject, type Owner } from '../owner.ts'

/** More than any core has. */
const maxScopes = 100
export const grantedScopes = z
  .array(scopeName)
  .max(maxScopes)
  .min(1)
  .refine((list) => new Set(list).size === list.length, { error: 'must not contain a scope twice' })
  .meta({ uniqueItems: true })
  .describe('Scopes of the key: at most the scopes of the caller’s own credential.')

/** Passes on an input with scopes of this core's features. Throws `INVALID_REQUEST` for another one. */
export function withKnownScopes<Input extends { readonly scopes?: readonly Scope[] | undefined }>(
  { scopes }: { readonly scopes: readonly Scope[] },
  _call: OperationRun,
  input: Input,
): Input {
  requireKnownScopes(scopes, input.scopes)
  return input
}

/** Throws `INVALID_REQUEST` if no feature has one of the scopes. */
function requireKnownScopes(known: readonly Scope[], granted: readonly Scope[] = []): void {
  const issues = granted.flatMap((scope, index) =>
    known.includes(scope)
      ? []
      : [{ field: `scopes[${index}]`, issue: explainChoices(known), ...suggested(scope, known) }],
  )
  const [first, ...others] = issues
  if (first) throw invalidRequest(first, ...others)
}

function suggested(scope: Scope, known: readonly Scope[]): Pick<Issue, 'suggestion'> {
  const suggestion = nearest(scope, known)
  return suggestion === undefined ? {} : { suggestion }
}

/** Throws `FORBIDDEN` if the caller's own credential lacks one of the scopes. Applies to new keys and new secrets. */
export function checkGrant(caller: Caller, granted: readonly Scope[]): void {
  if (caller.kind === 'account') checkScopes('your credential', caller.scopes, granted)
}

/** Scopes that only users have. */
const scopesOfUsers: readonly Scope[] = ['users', 'projects', 'audit', 'admin']

/** Throws `FORBIDDEN` for scopes that the API keys of projects cannot have. */
export function checkOwnerScopes(owner: Owner, granted: readonly Scope[]): void {
  if (!isProject(owner)) return
  const excess = granted.filter((scope) => scopesOfUsers.includes(scope))
  if (excess.length === 0) return
  const issue = `cannot include scopes that only users have: ${excess.join(', ')}`
  throw new FairleadError('FORBIDDEN', `scopes ${issue}`, { issues: [{ field: 'scopes', issue }] })
}

/** Throws `FORBIDDEN` if `granted` has scopes that the holder of `held` lacks. */
export function checkScopes(holder: string, held: readonly Scope[], granted: readonly Scope[]): void {
  const missing = granted.filter((scope) => !held.includes(scope))
  if (missing.length === 0) return
  const issue = `cannot include scopes that ${holder} lacks: ${missing.join(', ')}`
  throw new FairleadError('FORBIDDEN', `scopes ${issue}`, { issues: [{ field: 'scopes', issue }] })
}
