import { accountOperations, accounts, audit } from '@fairlead/accounts'
import { createFairlead, FairleadError } from '@fairlead/core'
import { webhooks } from '@fairlead/webhooks'
import { type AuditExpectation, issueSignInToken, verifyAudit } from '@fairlead/accounts/server'
import { argon2Passwords } from '@fairlead/passwords'
import type { Config } from './config.ts'
import { dashboardPath, tokenLink } from './dashboard.ts'
import { acceptImages } from './image-storage.ts'
import { formatAddress } from './listen.ts'
import { openData } from './open-data.ts'
import { administration } from './reload/reload-operation.ts'
import { ownSecretKeys } from './secret-keys.ts'

/** The accounts of the service, for an operator on its machine, who needs no credential. */
export type Offline = Awaited<ReturnType<typeof openOffline>>

/**
 * Opens the data of the configuration, without providers and ports; migrates the database first. The service may run on the
 * same data. Throws `ConfigError` if the data cannot be used.
 */
export async function openOffline(config: Config) {
  const { stores, images } = await openData(config)
  try {
    const passwords = argon2Passwords()
    const secretKeys = await ownSecretKeys(config, stores)
    // Webhooks receive the events of what changes here.
    const features = [
      accounts({ passwords }),
      webhooks({ allowNetworks: config.webhookNetworks }),
      audit(),
      // For its scope, which keys can have.
      administration(() => Promise.reject(new TypeError('The service is not running here.'))),
    ] as const
    const fairlead = createFairlead({ providers: [], stores, secretKeys, baseUrl: config.baseUrl, features })
    const idOf = async (email: string): Promise<string> => {
      const [user] = await fairlead.users.list({ email })
      if (!user) throw new FairleadError('NOT_FOUND', `No user has the email address ${email}.`)
      return user.id
    }
    const page = { limit: maxListed } as const
    return {
      createUser: fairlead.users.create,
      listUsers: () => fairlead.users.list(page),
      async setPassword(email: string, password: string): Promise<void> {
        await fairlead.users.patch({ id: await idOf(email), password })
      },
      /** Removes the passkeys of a user who has lost them. Returns how many. */
      async removePasskeys(email: string): Promise<number> {
        return (await fairlead.passkeys.removeAll({ id: await idOf(email) })).removed
      },
      /** A link to the dashboard that signs the user in once, within 15 minutes. */
      async signInLink(email: string): Promise<string> {
        const token = issueSignInToken(secretKeys, await idOf(email), Date.now())
        const baseUrl = config.baseUrl ?? formatAddress(config.host, config.port)
        return tokenLink(`${baseUrl}${dashboardPath}`, 'sign-in', token)
      },
      /** Creates the key in a session of its owner, so that the limits of the owner's tier apply. */
      async createKey(email: string, key: { readonly name: string; readonly scopes?: readonly string[] }) {
        const token = issueSignInToken(secretKeys, await idOf(email), Date.now())
        const { accessToken } = await fairlead.sessions.exchange({ token })
        const credentials = { kind: 'bearer', token: accessToken } as const
        const reply = await fairlead.core.run(accountOperations.createApiKey, credentials, key)
        await fairlead.core.run(accountOperations.logout, credentials, {})
        if (!reply.success) throw new FairleadError(reply.error.code, reply.error.message)
        return reply.data
      },
      listKeys: async (email: string) => fairlead.apiKeys.list({ userId: await idOf(email), ...page }),
      revokeKey: (id: string) => fairlead.apiKeys.revoke({ id }),
      /** Checks the audit log. */
      verifyAudit: (expected: AuditExpectation) => verifyAudit(stores, secretKeys, expected),
      acceptImages: () => acceptImages(stores, images),
      close: () => fairlead.core.close(),
    }
  } catch (error) {
    await stores.close()
    throw error
  }
}

const maxListed = 100
