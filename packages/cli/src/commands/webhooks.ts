import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Command } from 'commander'
import { CommandError } from '../command-error.ts'

type WebhookFunctions = typeof import('@fairlead/webhooks/verify')

interface ListenOptions {
  readonly secret?: string
  readonly port: string
}

export function webhooksCommand(): Command {
  const webhooks = new Command('webhooks').description('try webhooks on this machine')
  webhooks
    .command('listen')
    .description('receive deliveries on this machine, and print each after verifying it')
    .option('--secret <secret>', 'secret of the webhook (default: WEBHOOK_SECRET)')
    .option('--port <number>', 'port to listen on', '4000')
    .addHelpText('after', (context) => steps((context.command.opts() as ListenOptions).port))
    .action(async ({ secret = process.env['WEBHOOK_SECRET'], port }: ListenOptions) => {
      if (!secret) throw new CommandError(`${steps(port)}\nThe secret of the webhook is missing.`)
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
        throw new CommandError('--port must be a whole number from 0 to 65535')
      await listen(secret, Number(port))
    })
  return webhooks
}

function steps(port: string): string {
  return `
To try webhooks locally:

1. Start the service, and allow it to send to this machine:

  FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS=127.0.0.1 fairlead start

2. Create a webhook. The response has its id and its secret:

  curl http://127.0.0.1:8080/webhooks \\
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '{"url": "http://127.0.0.1:${port}", "events": ["*"]}'

3. Start the receiver:

  WEBHOOK_SECRET=whsec_… fairlead webhooks listen --port ${port}

4. Send a test event to the webhook:

  curl -X POST http://127.0.0.1:8080/webhooks/whk_…/test -H "Authorization: Bearer $KEY"
`
}

async function listen(secret: string, port: number): Promise<void> {
  const core = await import('@fairlead/webhooks/verify')
  checkSecret(core, secret)
  const server = createServer(async (request, response) => {
    response.writeHead((await isAccepted(core, request, secret)) ? 204 : 400).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  console.log(`Listening for webhooks on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Fails for a malformed secret now, and not at the first delivery. */
function checkSecret({ signWebhook }: WebhookFunctions, secret: string): void {
  try {
    signWebhook({ id: '', timestamp: 0, body: '', secrets: [secret] })
  } catch (error) {
    throw new CommandError((error as Error).message)
  }
}

async function isAccepted(
  { verifyWebhook }: WebhookFunctions,
  request: IncomingMessage,
  secret: string,
): Promise<boolean> {
  const time = new Date().toISOString()
  try {
    const event = verifyWebhook(request.headers, await buffer(request), secret)
    console.log(`\n${time} verified ${request.headers['webhook-id']} ${event.type}\n${JSON.stringify(event, null, 2)}`)
    return true
  } catch (error) {
    console.log(`\n${time} rejected ${(error as Error).message}`)
    return false
  }
}
