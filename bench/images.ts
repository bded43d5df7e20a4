// npm run bench:images: event loop delay while eight images are generated concurrently. Fails above 20 ms at p99.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createFairlead } from '@fairlead/core'
import { local } from '@fairlead/provider-local'

const images = 8
const rounds = 5
const maxMs = 20
const prompts = ['a lighthouse on a cliff at sunset', 'a forest in winter', 'a harbor at night', 'hills under clouds']

const fairlead = createFairlead({ providers: [local()] })
await fairlead.core.start()
await paint()
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const startedAt = performance.now()
for (let round = 0; round < rounds; round++) await paint()
const tookMs = performance.now() - startedAt
delay.disable()
await fairlead.core.close()

// The histogram includes the timer's interval of one millisecond.
const p99Ms = delay.percentile(99) / 1e6
console.log(
  `${images} images at once, ${rounds} times: ${Math.round(tookMs / rounds)} ms each time; ` +
    `event loop late by ${(delay.percentile(50) / 1e6).toFixed(1)} ms at p50, ${p99Ms.toFixed(1)} ms at p99`,
)
if (p99Ms > maxMs) process.exitCode = 1

async function paint(): Promise<void> {
  await Promise.all(
    Array.from({ length: images }, (_, index) =>
      fairlead.generateImage({ model: 'vista', prompt: `${prompts[index % prompts.length]}, number ${index}` }),
    ),
  )
}
