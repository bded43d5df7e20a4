import { freePort } from './free-port.ts'
import { chatCompletion, reportUsage } from './report-usage.ts'
import { upstreamUrl } from './upstream-url.ts'

/** @portkey-ai/gateway, whose request headers select our upstream. It reads its port only from the command line. */
export async function runPortkey(provider: 'openai' | 'anthropic'): Promise<void> {
  const port = await freePort()
  process.argv.push(`--port=${port}`, '--headless')
  // @ts-expect-error -- It is a program, which has no types.
  await import('@portkey-ai/gateway/build/start-server.js')
  reportUsage(port, chatCompletion({ 'x-portkey-provider': provider, 'x-portkey-custom-host': `${upstreamUrl}/v1` }))
}
