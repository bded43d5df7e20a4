import { readFileSync } from 'node:fs'

/** The resources that a server process has used. */
export interface ProcessUsage {
  /** Processor time since the start, user and system, in microseconds. */
  readonly cpuMicros: number
  readonly residentBytes: number
}

/** The request for a text that a server expects. */
export interface Ask {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  /** API keys for a load of many users. Default: the one in the headers. */
  readonly keys?: readonly string[]
}

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
 * Sends the port to the parent process, and the resources used so far on each message.
 *
 * @param pid the process that serves, with one thread. Default: this process
 */
export function reportUsage(port: number, ask: Ask = generate(), pid?: number): void {
  process.on('message', () => process.send?.(pid === undefined ? ownUsage() : usageOf(pid)))
  // Exits in every case through `exit`, which removes temporary folders.
  for (const event of ['disconnect', 'SIGINT', 'SIGTERM']) process.on(event, () => process.exit(0))
  process.send?.({ port, ask, pid: pid ?? process.pid } satisfies Ready)
}

function ownUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  return { cpuMicros: user + system, residentBytes: process.memoryUsage().rss }
}

/** `schedstat` begins with the CPU time in nanoseconds; other files of `/proc` count it in hundredths of a second. */
function usageOf(pid: number): ProcessUsage {
  const [onCpu] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { cpuMicros: Number(onCpu) / 1e3, residentBytes: Number(kilobytes) * 1_024 }
}
