import { join } from 'node:path'
import { accounts, audit } from '@fairlead/accounts'
import { createFairlead, type Credentials } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { shipments } from '@fairlead/shipments'
import { webhooks } from '@fairlead/webhooks'
import { type Provider, ProviderError } from '@fairlead/core/provider'
import { shipmentInput, testClock } from '@fairlead/testing'
import { argon2Passwords } from '@fairlead/passwords'
import { sqliteStores } from '@fairlead/storage'
import { seeded } from '../../server/src/testing/seeded.ts'

const hourMs = 3_600_000
const days = 14

const hoursBetweenShipments = 40
const shipmentStatuses = ['in_transit', 'cancelled', undefined, 'in_transit', undefined] as const

export const admin = { email: 'ada@example.com', password: 'an example password', name: 'Ada Lovelace' }

/** Models with prices in USD per million tokens, and their usual latency. */
const models = [
  { id: 'gpt-5.4-mini', input: 0.25, output: 2, latencyMs: 900, share: 0.5 },
  { id: 'claude-sonnet-5-5', input: 3, output: 15, latencyMs: 1_900, share: 0.3 },
  { id: 'scribe', input: 0, output: 0, latencyMs: 12, share: 0.2 },
] as const

const exampleKeys = [
  {
    name: 'website',
    budgetUsd: 3.5,
    budgetPeriod: 'month',
    requestsPerMinute: 600,
    metadata: { team: 'shop' },
  },
  {
    name: 'support bot',
    budgetUsd: 20,
    budgetPeriod: null,
    models: ['gpt-*', 'claude-*', 'scribe'],
    allowedNetworks: ['203.0.113.0/24'],
    metadata: { team: 'support' },
  },
  { name: 'batch jobs', maxConcurrency: 4, metadata: { team: 'research' } },
] as const

/**
 * Fills an empty data directory with two weeks of calls of two example providers, in place of real ones: they answer at
 * once, and move the clock by the latency of their model.
 */
export async function addExampleData(directory: string, secretKey: string): Promise<void> {
  const random = seeded(1)
  const clock = testClock(Date.now() - days * 24 * hourMs)
  const stores = await sqliteStores({ path: join(directory, 'fairlead.db'), clock })
  const provider: Provider = {
    contract: 2,
    id: 'example',
    models: models.map(({ id, input, output }) => ({
      id,
      type: 'text',
      name: id,
      description: 'An example.',
      maxTokens: 4_096,
      pricing: { input, output },
    })),
    async *streamText({ model }) {
      const { latencyMs } = models.find(({ id }) => id === model)!
      const totalMs = latencyMs * (0.6 + random() * random() * 3)
      const firstTokenMs = Math.round(totalMs * (0.2 + random() * 0.2))
      clock.advance(firstTokenMs)
      if (random() < 0.015) throw new ProviderError('retry', 'an example of a failure')
      yield { type: 'part_start', index: 0, part: { type: 'text', text: 'An example.' } }
      clock.advance(Math.round(totalMs) - firstTokenMs)
      const usage = {
        promptTokens: 200 + Math.round(random() * 900),
        completionTokens: 40 + Math.round(random() * 400),
      }
      yield { type: 'part_end', index: 0 }
      yield { type: 'finish', finishReason: 'stop', usage }
    },
  }
  const fairlead = createFairlead({
    providers: [provider],
    routing: { retries: { perTarget: 0 } },
    stores,
    testing: { clock },
    secretKeys: { current: secretKey },
    features: [
      accounts({ passwords: argon2Passwords() }),
      shipments(),
      webhooks({ allowNetworks: ['127.0.0.1'] }),
      audit(),
    ],
  })
  try {
    const budget = { budgetUsd: 10, budgetPeriod: 'month' } as const
    const { id: adminId } = await fairlead.users.create({ ...admin, role: 'admin', tier: 'enterprise', ...budget })
    const grace = await fairlead.users.create({
      email: 'grace@example.com',
      password: admin.password,
      name: 'Grace Hopper',
      tier: 'pro',
    })
    await fairlead.users.create({ email: 'alan@example.com', password: admin.password, name: 'Alan Turing' })
    const from = { address: '203.0.113.7' }
    const signIn = async (): Promise<Credentials> => {
      const { email, password } = admin
      const { accessToken = '' } = await run(operations.login, { kind: 'none' }, { email, password })
      return { kind: 'bearer', token: accessToken }
    }
    async function run(operation: Parameters<typeof fairlead.core.run>[0], credentials: Credentials, input: object) {
      const reply = await fairlead.core.run(operation, credentials, input, from)
      if (reply.success && 'events' in reply) for await (const event of reply.events) void event
      return reply.success && 'data' in reply ? (reply.data as Record<string, string>) : {}
    }

    const signedIn = await signIn()
    const keys: Credentials[] = []
    for (const key of exampleKeys) {
      const { secret = '' } = await run(operations.createApiKey, signedIn, key)
      keys.push({ kind: 'bearer', token: secret })
    }
    const events = ['shipment.*', 'quota.*']
    await fairlead.users.patch({ id: grace.id, tier: 'enterprise', quotaLimit: 50_000 })
    await run(operations.patchUser, signedIn, { id: adminId, name: 'Ada King' })
    await run(operations.patchUser, signedIn, { id: adminId, name: admin.name })
    await run(operations.createWebhook, signedIn, { url: 'http://127.0.0.1:9/orders', events, description: 'Orders' })
    for (let hour = 0; hour < days * 24; hour++) {
      const start = Date.now() - (days * 24 - hour) * hourMs
      clock.jumpTo(start)
      if (hour % hoursBetweenShipments === hoursBetweenShipments - 1) {
        const n = Math.floor(hour / hoursBetweenShipments)
        const status = shipmentStatuses[n % shipmentStatuses.length]
        // Access tokens last 15 minutes.
        const { id } = await run(operations.createShipment, await signIn(), {
          ...shipmentInput(`ORDER-${1001 + n}`),
          carrier: n % 2 ? 'DHL' : 'UPS',
        })
        clock.advance(hourMs / 2)
        if (status) await run(operations.patchShipment, await signIn(), { id, status })
      }
      for (let call = callsIn(new Date(start), random); call > 0; call--) {
        const pick = random()
        const model =
          pick < models[0].share ? models[0] : pick < models[0].share + models[1].share ? models[1] : models[2]
        await run(operations.generate, keys[Math.floor(random() * random() * keys.length)]!, {
          model: model.id,
          prompt: 'An example.',
          stream: random() < 0.6,
        })
      }
    }
  } finally {
    await fairlead.core.close()
  }
}

/** More during the day than at night, and on working days. */
function callsIn(at: Date, random: () => number): number {
  const daylight = Math.max(0.08, Math.sin(((at.getUTCHours() - 6) / 24) * 2 * Math.PI))
  const isWeekend = at.getUTCDay() % 6 === 0
  return Math.round(24 * daylight * (isWeekend ? 0.35 : 1) * (0.7 + random() * 0.6))
}
