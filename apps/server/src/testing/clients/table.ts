import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Client {
  /** As its makers write it: a client of the service, or a platform on which the packages run. */
  readonly name: string
  /** The packages of npm that it consists of, with the exact version of each. The first is the client. */
  readonly packages: Readonly<Record<string, string>>
  /** Why it cannot run anywhere. Default: it can. */
  readonly notRunnable?: string
}

/**
 * The clients that `npm run clients` runs, by the names of their test files. They are installed into a separate folder,
 * because they are too large for everybody who installs the workspace.
 */
export const clients = {
  'ai-sdk-default': {
    name: 'AI SDK',
    packages: { ai: '7.0.173', '@ai-sdk/openai': '4.0.118', '@ai-sdk/anthropic': '4.0.105', zod: '4.6.7' },
  },
  mastra: { name: 'Mastra', packages: { '@mastra/core': '1.71.0', zod: '4.6.7' } },
  'langchain-default': {
    name: 'LangChain',
    packages: { '@langchain/openai': '1.6.0', '@langchain/core': '1.4.0', zod: '4.6.7' },
  },
  llamaindex: { name: 'LlamaIndex', packages: { llamaindex: '0.12.1', '@llamaindex/openai': '0.4.23', zod: '4.6.7' } },
  'openai-agents': { name: 'OpenAI Agents', packages: { '@openai/agents': '0.20.0', zod: '4.6.7' } },
  'claude-code': { name: 'Claude Code', packages: { '@anthropic-ai/claude-code': '2.1.332' } },
  codex: { name: 'Codex', packages: { '@openai/codex': '0.171.0' } },
  opencode: { name: 'opencode', packages: { 'opencode-ai': '1.18.33' } },
  'qwen-code': { name: 'qwen-code', packages: { '@qwen-code/qwen-code': '0.24.4' } },
  continue: { name: 'Continue', packages: { '@continuedev/cli': '1.5.47' } },
  cline: { name: 'Cline', packages: { cline: '3.0.65' } },
  workers: { name: 'Miniflare', packages: { miniflare: '4.20260730.0' } },
  bun: { name: 'Bun', packages: { bun: '1.4.5' } },
  deno: { name: 'Deno', packages: { deno: '2.9.6' } },
} as const satisfies Readonly<Record<string, Client>>

export type ClientId = keyof typeof clients

const cache = join(import.meta.dirname, '../../../../../node_modules/.cache/clients')

/** The folder in which the packages of a client are installed. Another version has another folder. */
export function clientFolder(id: ClientId): string {
  return join(cache, `${id}-${Object.values(clients[id].packages).join('-')}`)
}

/** Whether the installation of a client is complete. */
export function isInstalled(id: ClientId): boolean {
  return existsSync(join(clientFolder(id), 'complete'))
}

/** The reason that keeps a client from running; undefined if there is none. Written by the command that installs it. */
export function whyMissing(id: ClientId): string | undefined {
  const { notRunnable }: Client = clients[id]
  if (notRunnable !== undefined) return notRunnable
  if (isInstalled(id)) return undefined
  const path = join(clientFolder(id), 'failure')
  return existsSync(path) ? readFileSync(path, 'utf8') : 'it is not installed: "npm run clients" installs it'
}
