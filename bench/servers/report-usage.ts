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

/** Sends the port to the parent process, and the resources used so far on each message. */
export function reportUsage(port: number, ask: Ask = generate()): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const usage: ProcessUsage = { cpuMicros: user + system, residentBytes: process.memoryUsage().rss }
    process.send?.(usage)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port, ask } satisfies Ready)
}
