import { join } from 'node:path'
import { accounts } from '@fairlead/accounts'
import { createFairlead, type Credentials } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import { type Provider, textAnswer, textModel } from '@fairlead/core/provider'
import { shipmentInput } from '@fairlead/testing'
import { argon2Passwords } from '@fairlead/passwords'
import { sqliteStores } from '@fairlead/storage'

export const admin = { email: 'ada@example.com', password: 'an example password', name: 'Ada Lovelace' }

const provider: Provider = {
  contract: 2,
  id: 'example',
  models: [textModel('example')],
  generateText: async () => textAnswer('An example.', { usage: { promptTokens: 200, completionTokens: 100 } }),
}

/** Fills an empty data directory with so many requests and shipments, and the events and deliveries of the shipments. */
export async function addManyRows(directory: string, secretKey: string, count: number): Promise<void> {
  const fairlead = createFairlead({
    providers: [provider],
    stores: await sqliteStores({ path: join(directory, 'fairlead.db') }),
    secretKeys: { current: secretKey },
    features: [accounts({ passwords: argon2Passwords() }), shipments(), webhooks({ allowNetworks: ['127.0.0.1'] })],
  })
  try {
    await fairlead.users.create({ ...admin, role: 'admin', tier: 'enterprise' })
    const { accessToken } = await fairlead.sessions.login({ email: admin.email, password: admin.password })
    const credentials: Credentials = { kind: 'bearer', token: accessToken }
    async function run(operation: Parameters<typeof fairlead.core.run>[0], input: object) {
      const reply = await fairlead.core.run(operation, credentials, input)
      if (!reply.success) throw new Error(JSON.stringify(reply))
    }
    await run(operations.createWebhook, { url: 'http://127.0.0.1:9/', events: ['shipment.*'] })
    for (let row = 0; row < count; row += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that memory stays small
      await run(operations.createShipment, shipmentInput(`ORDER-${row}`))
      // oxlint-disable-next-line no-await-in-loop -- so that memory stays small, too
      await run(operations.generate, { model: 'example', prompt: `Example ${row}` })
    }
  } finally {
    await fairlead.core.close()
  }
}
