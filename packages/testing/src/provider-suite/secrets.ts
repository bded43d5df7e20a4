import { inspect } from 'node:util'
import { vi } from 'vitest'

/** Characters of a key that do not appear in a text by chance. */
const partLength = 6

/** Where a text reveals an API key: in part, in base64 or in hexadecimal; undefined if it doesn't. */
export function revealed(text: string, apiKey: string): string | undefined {
  return spellings(apiKey).find((spelling) => text.includes(spelling))
}

function spellings(apiKey: string): readonly string[] {
  const parts = Array.from({ length: apiKey.length - partLength + 1 }, (_, start) =>
    apiKey.slice(start, start + partLength),
  )
  // Base64 spells a key in three ways, depending on the bytes before it; its ends also depend on its neighbors.
  const encoded = ['', '.', '..'].map((before) =>
    Buffer.from(before + apiKey)
      .toString('base64')
      .slice(4, -4),
  )
  const urlEncoded = encoded.map((spelling) => spelling.replaceAll('+', '-').replaceAll('/', '_'))
  return [...parts, ...encoded, ...urlEncoded, Buffer.from(apiKey).toString('hex')]
}

/** Everything that a log could show of a value. */
export function printed(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { depth: Infinity, showHidden: true })
}

const consoleMethods = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const

/** Collects what is printed to the console and the standard streams. */
export function watchOutput(): { text(): string; stop(): void } {
  let output = ''
  const stops = consoleMethods.map((method) => {
    const spy = vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
      output += `${values.map(printed).join(' ')}\n`
    })
    return () => spy.mockRestore()
  })
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write
    stream.write = ((...args: Parameters<typeof write>) => {
      output += String(args[0])
      return write.apply(stream, args)
    }) as typeof write
    stops.push(() => void (stream.write = write))
  }
  return {
    text: () => output,
    stop: () => stops.forEach((stop) => stop()),
  }
}
