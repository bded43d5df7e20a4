import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditActions } from './audit-actions.ts'

interface Operations {
  readonly [method: string]: { readonly operationId?: string }
}

/** They change nothing that the audit log records. */
const exceptions = [
  'testWebhook',
  'recoverWebhook',
  'redeliver',
  'passkeyOptions',
  'passkeyLoginOptions',
  'sendEmailVerification',
]

test('the audit page lists the operations of accounts, projects, webhooks, and the configuration that change something', () => {
  const document = JSON.parse(readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8')) as {
    readonly paths: Readonly<Record<string, Operations>>
  }
  const changes = Object.entries(document.paths)
    .filter(([path]) =>
      /^\/(auth|sessions|api-keys|webhooks|projects|invitations|admin|api\/v1\/users)(\/|$)/.test(path),
    )
    .flatMap(([, { get: _get, ...operations }]) => Object.values(operations).map(({ operationId }) => operationId))
  // The service signs in with OpenID Connect, and makes the first admin, by itself. Reads of the log are in it, too.
  const own = ['signInWithIdentity', 'endIdentitySessions', 'makeFirstAdmin', 'auditLog']
  expect(auditActions.toSorted()).toEqual(
    [...changes.filter((name) => name !== undefined && !exceptions.includes(name)), ...own].toSorted(),
  )
})
