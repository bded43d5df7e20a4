import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { chatCompletion, reportUsage } from './report-usage.ts'
import { upstreamUrl } from './upstream-url.ts'

/** @portkey-ai/gateway, whose request headers select our upstream. It reads its port only from the command line. */
const port = await freePort()
process.argv.push(`--port=${port}`, '--headless')
// @ts-expect-error -- It is a program, which has no types.
await import('@portkey-ai/gateway/build/start-server.js')
reportUsage(port, chatCompletion({ 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstreamUrl}/v1` }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}
