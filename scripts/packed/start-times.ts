import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { median } from '../../bench/median.ts'
import { aiSdk, fairlead, type FirstAnswer, timeFirstAnswers } from './first-answer.ts'

const rounds = 9
/** How long core and a provider may take, as multiples of the AI SDK with a provider: 1.9 and 1.5 on a quiet machine. */
const maxRatios = { importing: 2.5, answered: 2.2 } as const satisfies Readonly<Record<keyof FirstAnswer, number>>

/** Compares the packed packages with the AI SDK, each in new processes in turn. */
export async function startFaults(stranger: string): Promise<readonly string[]> {
  for (const name of aiSdk.imports) {
    const path = join(stranger, 'node_modules', name)
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(realpathSync(resolve('apps/server/node_modules', name)), path)
  }
  const times = await timeFirstAnswers(stranger, { fairlead, aiSdk }, rounds)
  return Object.entries(maxRatios).flatMap(([step, max]) => {
    const [own, other] = [times.fairlead, times.aiSdk].map((all) =>
      median(all.map((time) => time[step as keyof FirstAnswer])),
    )
    const ratio = own! / other!
    console.log(`${step}: ${own!.toFixed(0)} ms, ${ratio.toFixed(2)} times the AI SDK's, at most ${max}`)
    return ratio > max
      ? [`${step} takes ${ratio.toFixed(2)} times as long as with the AI SDK, over its limit of ${max}`]
      : []
  })
}
