import { anthropic } from '@fairlead/provider-anthropic'
import { local } from '@fairlead/provider-local'
import { openaiCompatible } from '@fairlead/provider-openai-compatible'
import { expect } from 'vitest'
import { combineAliases } from '../../demo.ts'
import { serveApp, type ServedApp } from '../serve-app.ts'
import type { ToolUse } from './echo-dialect.ts'
import { openEcho } from './echo-upstream.ts'

/** The facts about a service that a client needs, and the service's log. */
export interface Serving {
  readonly url: string
  readonly apiKey: string
  /** Fails if the service has answered anything but success, or nothing at all. */
  expectSuccess(): void
}

function serving({ url, caller, lines }: ServedApp): Serving {
  return {
    url,
    apiKey: String(caller.token),
    expectSuccess() {
      const answers = lines.flatMap((line) => {
        const { route, status, code, reason, msg } = JSON.parse(line)
        return msg === 'request completed' ? [{ route, status, code, reason }] : []
      })
      expect(answers).not.toEqual([])
      expect(answers.filter(({ status }) => status >= 400)).toEqual([])
    },
  }
}

/** The service with its demo. */
export async function serveDemo(): Promise<Serving> {
  const providers = [local({ text: { demo: true } })]
  return serving(
    await serveApp({ core: { providers, aliases: combineAliases({ demo: true }, undefined, providers) ?? {} } }),
  )
}

/** The service in front of a server that is as strict as OpenAI and Anthropic, which calls a tool once if it is given one. */
export async function serveEcho(use?: ToolUse) {
  const upstream = await openEcho(use)
  const providers = [
    // Another address than OpenAI's own might lack the Responses API.
    openaiCompatible({
      preset: 'openai',
      apiKey: 'sk-canary',
      baseUrl: `${upstream.url}/v1`,
      dialect: { responses: true },
    }),
    anthropic({ apiKey: 'sk-ant-canary', baseUrl: upstream.url, models: 'catalog' }),
  ]
  const served = serving(await serveApp({ core: { providers } }))
  return {
    ...served,
    received: upstream.received,
    /** Fails unless the upstream would have accepted all that it got, and the last request has these texts. */
    expectReceived(...texts: readonly string[]) {
      served.expectSuccess()
      expect(upstream.received.filter(({ complaint }) => complaint !== undefined)).toEqual([])
      const all = upstream.received.map(({ body }) => JSON.stringify(body)).join('\n')
      for (const text of texts) expect(all).toContain(text)
    },
  }
}
