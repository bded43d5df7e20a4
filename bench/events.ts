// node --conditions=@fairlead/source bench/events.ts [rounds] [calls]: what events cost a model call.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts } from '@fairlead/accounts'
import { createFairlead, systemClock } from '@fairlead/core'
import { operations } from '@fairlead/testing/workspace'
import { webhooks } from '@fairlead/webhooks'
import { createIds } from '@fairlead/core/adapter'
import { addTestCaller, scripted, someWebhook } from '@fairlead/testing'
import { sqliteStores } from '@fairlead/storage'
import { median } from './median.ts'

const rounds = Number(process.argv[2] ?? 15)
const calls = Number(process.argv[3] ?? 4_000)
const inFlight = 64

const directory = await mkdtemp(join(tmpdir(), 'fairlead-events-'))
try {
  const subjects = {
    'without the feature': await open('plain', false),
    'without the feature, again': await open('again', false),
    'no subscriber': await open('idle', false, webhooks()),
    'one subscribed webhook': await open('subscribed', true, webhooks()),
  }
  const cpu = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as number[]]))
  for (let round = -2; round < rounds; round++) {
    for (const [name, { send }] of Object.entries(subjects)) {
      const used = await cpuTimeOf(send)
      // The first two rounds warm up.
      if (round >= 0) cpu[name]?.push(used)
    }
  }
  const base = cpu['without the feature'] ?? []
  for (const [name, times] of Object.entries(cpu)) {
    const ratio = median(times.map((time, round) => time / (base[round] ?? time)))
    console.log(`${name.padEnd(28)}  ${((median(times) / calls) * 1000).toFixed(1)} µs of CPU  ${ratio.toFixed(3)}`)
  }
  for (const { close } of Object.values(subjects)) await close()
} finally {
  await rm(directory, { recursive: true })
}

async function open(name: string, isSubscribed: boolean, ...features: readonly ReturnType<typeof webhooks>[]) {
  const stores = await sqliteStores({ path: join(directory, `${name}.db`) })
  const { credentials, userId } = await addTestCaller(stores, systemClock, { user: { tier: 'enterprise' } })
  if (isSubscribed) {
    const webhook = someWebhook(createIds(Date.now), { userId, events: ['*'] })
    await stores.transact((tx) => tx.webhooks.add(webhook))
  }
  const providers = [scripted('calm', 'hello there')]
  const { core } = createFairlead({ providers, features: [accounts(), ...features], stores })
  const send = async () => {
    const { success } = await core.run(operations.generate, credentials, { model: 'any', prompt: 'hi' })
    if (!success) throw new Error(`a call failed (${name})`)
  }
  return { send, close: () => core.close() }
}

/** Milliseconds of CPU that the calls take. */
async function cpuTimeOf(send: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage()
  let left = calls
  const sendNext = async () => {
    while (left-- > 0) await send()
  }
  await Promise.all(Array.from({ length: inFlight }, sendNext))
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
