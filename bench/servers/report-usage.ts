import { readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The resources that a server process has used. */
export interface ProcessUsage {
  /** Processor time since the start, user and system, in microseconds. */
  readonly cpuMicros: number
  /** The part of the main thread. V8 compiles and collects garbage in others too. */
  readonly mainThreadMicros: number
  readonly residentBytes: number
  /** The longest delay of its event loop since the last answer, if it has one. */
  readonly longestDelayMs?: number
}

/** The request for a text that a server expects. */
export interface Ask {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  /** API keys for a load of many users. Default: the one in the headers. */
  readonly keys?: readonly string[]
}

/** The messages to a server process. It answers with its usage, and with the profile that it stops. */
export type Question = 'usage' | 'start profile' | 'stop profile'

/** The message of a server process once it listens. */
export interface Ready {
  readonly port: number
  readonly ask: Ask
  /** The process that serves. */
  readonly pid: number
}

const prompt = 'Say something about a fox and a dog, please.'

/** The request of Fairlead, which the bare servers accept too. */
export function generate(apiKey = 'none'): Ask {
  return { path: '/generate', headers: { authorization: `Bearer ${apiKey}` }, body: { model: 'instant', prompt } }
}

/** A chat completion, for the upstream and the proxies. */
export function chatCompletion(headers: Readonly<Record<string, string>> = {}): Ask {
  return {
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer none', ...headers },
    body: { model: 'instant', messages: [{ role: 'user', content: prompt }] },
  }
}

/**
 * Sends the port to the parent process, and an answer to each message.
 *
 * @param pid the process that serves, with one thread. Default: this process
 */
export function reportUsage(port: number, ask: Ask = generate(), pid?: number): void {
  delays.enable()
  process.on('message', async (question: Question) => {
    if (question === 'start profile') await startProfile()
    process.send?.(question === 'stop profile' ? await stopProfile() : pid === undefined ? ownUsage() : usageOf(pid))
  })
  // Exits in every case through `exit`, which removes temporary folders.
  for (const event of ['disconnect', 'SIGINT', 'SIGTERM']) process.on(event, () => process.exit(0))
  process.send?.({ port, ask, pid: pid ?? process.pid } satisfies Ready)
}

const delayResolutionMs = 10
const delays = monitorEventLoopDelay({ resolution: delayResolutionMs })

function ownUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  const thread = process.threadCpuUsage()
  // A delay includes the time until the timer is due.
  const longestDelayMs = Math.max(0, delays.max / 1e6 - delayResolutionMs)
  delays.reset()
  return {
    cpuMicros: user + system,
    mainThreadMicros: thread.user + thread.system,
    residentBytes: process.memoryUsage().rss,
    longestDelayMs,
  }
}

const session = new Session()

async function startProfile(): Promise<void> {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
}

async function stopProfile(): Promise<Profiler.Profile> {
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}

/** `schedstat` begins with the CPU time in nanoseconds; other files of `/proc` count it in hundredths of a second. */
function usageOf(pid: number): ProcessUsage {
  const [onCpu] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  const cpuMicros = Number(onCpu) / 1e3
  return { cpuMicros, mainThreadMicros: cpuMicros, residentBytes: Number(kilobytes) * 1_024 }
}
